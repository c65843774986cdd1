import { pathText } from '../../contract/json-scan.ts'
import { faultsMax } from '../../contract/limits.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { manifestCreate, manifestLineCreate } from '../../contract/resources/manifest.ts'
import { closestName } from '../../domain/closest-name.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { type Lint, lintRows } from '../../domain/csv/row-lint.ts'
import { repeatsAmong } from '../../domain/graders/certificate.ts'
import { requestFaults } from '../../domain/manifests/manifest.ts'
import { CliError } from '../base/cli-error.ts'
import type { Session } from '../command.ts'
import { manifestFile } from '../imports/import-kind.ts'
import { showWarnings } from '../imports/import-report.ts'

type Fields = Record<string, string[]>

/** Checks the body of POST /manifests by the service's schema, as far as possible here. Throws `invalid` naming every fault. */
export function checkBody(body: unknown, file: string): void {
  const parsed = manifestCreate().safeParse(body)
  const fields: Fields = parsed.success ? requestFaults(parsed.data) : {}
  for (const issue of parsed.error?.issues.slice(0, faultsMax) ?? []) {
    if (issue.code !== 'unrecognized_keys')
      fields[pathText(issue.path) || 'body'] = [problemAt(body, issue.path)]
    else
      for (const key of issue.keys) fields[pathText([...issue.path, key])] = [unknownField(key, issue.path)]
  }
  if (Object.keys(fields).length > 0) throw new CliError('invalid', `${file} is not a manifest.`, { fields })
}

/** Lines as rows counted from 1; none if the body is not a manifest, since the service then names its faults. */
export function linesOf(body: unknown) {
  const parsed = manifestCreate().safeParse(body)
  return parsed.success ? parsed.data.lines.map((value, at) => ({ row: at + 1, value })) : []
}

type BodyLines = ReturnType<typeof linesOf>

export function repeatedSlabs(lines: BodyLines): Lint[] {
  const repeats = repeatsAmong(lines.map(({ value }) => value))
  return [...repeats].map(([at, before]) => {
    const { grader, cert_number } = lines[at]?.value ?? {}
    const message = `"${cert_number}" of ${grader} is already in lines[${before}]`
    return { row: at + 1, field: 'cert_number', message, isCertain: false }
  })
}

/** Looks for impossible slabs, and for codes that a spreadsheet damaged. */
export function lintBody(lines: BodyLines): Lint[] {
  const header = manifestFile.columns.known
  const rows: CsvRow[] = lines.map(({ row, value }) => ({
    row,
    values: header.map((name) => String(value[name as keyof typeof value] ?? '')),
  }))
  return lintRows(header, manifestFile, rows)
}

/** Shows warnings. Throws `invalid` if a fault is certain, since a submitted manifest cannot be corrected. */
export async function settleLints(session: Session, lints: readonly Lint[], file: string): Promise<void> {
  const warnings = lints.filter(({ isCertain }) => !isCertain)
  await showWarnings(
    session,
    warnings.map((lint) => ({ ...lint, line: 0, row: lint.row - 1 })),
    warnings.length,
    ({ row }) => `lines[${row}]`,
  )
  const fields: Fields = {}
  for (const { row, field, message } of lints.filter(({ isCertain }) => isCertain))
    fields[`lines[${row - 1}].${field}`] = [message]
  const named = Object.entries(fields)
  if (named.length === 0) return
  throw new CliError('invalid', `${file} has values that cannot be right; nothing was sent.`, {
    hint: 'Correct them, or send them unchanged with --no-lint.',
    fields: Object.fromEntries(named.slice(0, faultsMax)),
  })
}

export function rejectUnknown(unknown: readonly CsvRowError[], file: string): void {
  if (unknown.length === 0) return
  const named = unknown.slice(0, faultsMax).map(({ row, fields }) => [`lines[${row - 1}].sku`, fields.sku])
  throw new CliError('invalid', `${file} names SKUs that the catalog lacks.`, {
    fields: Object.fromEntries(named),
  })
}

function problemAt(body: unknown, path: readonly PropertyKey[]): string {
  const value = path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown>)?.[key], body)
  return value === undefined ? 'is required' : 'is not valid'
}

function unknownField(key: string, path: readonly PropertyKey[]): string {
  const schema = path.length === 0 ? manifestCreate() : manifestLineCreate()
  const meant = closestName(key, Object.keys(schema._zod.def.shape))
  return meant === null ? 'is not known; leave it out' : `is not known; did you mean ${meant}?`
}
