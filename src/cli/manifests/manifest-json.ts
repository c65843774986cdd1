import type { Client } from '../../client/client.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { BodyInput } from '../../contract/operations.ts'
import type { CsvRow } from '../../domain/csv/csv-reading.ts'
import { manifestChecker } from '../../domain/manifests/manifest-csv.ts'
import { CliError } from '../base/cli-error.ts'
import { parseJsonObject } from '../base/input-file.ts'
import type { Outcome, Session } from '../command.ts'
import type { SendHow } from '../imports/repeats.ts'
import { columnsOf } from '../output/columns.ts'
import { checkWindow } from './arrival-window.ts'
import { askAbout, settleKnown, tellEarlier } from './known-slabs.ts'
import type { ManifestOptions } from './manifest-options.ts'
import { printManifest, repeatedNotice } from './manifest-report.ts'
import type { ManifestRows } from './manifest-rows.ts'
import { isRepeated, type Submitted, submitOnce } from './manifest-submission.ts'

type NewManifest = BodyInput<'submitManifest'>

/** By the file's name, or for stdin by its first character. */
export function isJsonManifest(file: string, bytes: Buffer): boolean {
  return (
    /\.json$/i.test(file) || (file === '-' && bytes.subarray(0, 256).toString().trimStart().startsWith('{'))
  )
}

/** Flags win over the file. */
export async function submitManifestJson(
  session: Session,
  file: string,
  bytes: Buffer,
  options: Partial<ManifestOptions>,
): Promise<Outcome> {
  checkWindow(options)
  const body = { ...parseJsonObject(bytes, file), ...givenFields(options) } as NewManifest
  const { checkBody, lintBody, linesOf, repeatedSlabs, settleLints } = await import('./manifest-check.ts')
  if (options.dryRun) checkBody(body, file)
  const lines = linesOf(body)
  const known = await askAbout(session, lines, { ...options, reference: body.reference })
  const twice = [...repeatedSlabs(lines), ...known.slabs]
  await settleLints(session, [...(options.lint === false ? [] : lintBody(lines)), ...twice], file)
  if (options.dryRun) {
    session.notice(`${file} was checked; nothing was sent.`)
    const printer = await session.printer({ columns: columnsOf<{ lines: number }>({ name: 'lines' }) })
    await printer.one({ lines: body.lines.length })
    if (twice.length > 0 && options.strict) return 'invalid'
    return tellEarlier(session, known, body)
  }
  await settleKnown(session, new Set(twice.map(({ row }) => row)).size, 'line', options.strict)
  const submission = { reference: body.reference, content: JSON.stringify(body), options }
  const submitted = await submitOnce(session, submission, async (client, how) => {
    const answer = await client.submitManifest({ body, ...how })
    return { manifest: answer.data, errors: [], isRepeated: isRepeated(answer) }
  })
  if (submitted.isRepeated) session.notice(repeatedNotice(session, submitted.manifest, body))
  await printManifest(session, submitted.manifest)
}

/** Throws naming the file's rows if the service rejects lines. */
export async function submitAsJson(
  client: Client,
  read: Pick<ManifestRows, 'header' | 'good' | 'places'>,
  options: ManifestOptions,
  how: SendHow,
): Promise<Submitted> {
  const body = manifestOf(read.header, read.good, options)
  try {
    const answer = await client.submitManifest({ body, ...how })
    return { manifest: answer.data, errors: [], isRepeated: isRepeated(answer) }
  } catch (error) {
    throw inRowsOfFile(error, read)
  }
}

export function manifestOf(
  header: readonly string[],
  rows: readonly CsvRow[],
  options: ManifestOptions,
): NewManifest {
  const lines = manifestChecker(header)(rows).accepted.map(({ value }) => value)
  return { ...givenFields(options), lines } as NewManifest
}

export function givenFields({
  reference,
  source,
  arrivesFrom,
  arrivesBy,
}: Partial<ManifestOptions>): Partial<NewManifest> {
  return {
    ...(reference !== undefined && { reference }),
    ...(source !== undefined && { source: source as 'other' }),
    ...(arrivesFrom !== undefined && { expected_arrival_start: arrivesFrom }),
    ...(arrivesBy !== undefined && { expected_arrival_end: arrivesBy }),
  }
}

/** Names the row of the file instead of `lines[3].sku`. */
function inRowsOfFile(error: unknown, { good, places }: Pick<ManifestRows, 'good' | 'places'>): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'validation_error') return error
  const fields = Object.entries((error.extra.fields ?? {}) as Record<string, string[]>).map(
    ([path, texts]) => {
      const [, index, field] = /^lines\[(\d+)\]\.?(.*)$/.exec(path) ?? []
      const { row, line } = places.of(good[Number(index)]?.row ?? 0)
      return [index === undefined ? path : `row ${row}, line ${line} ${field}`, texts] as const
    },
  )
  return new CliError('invalid', 'The manifest was not submitted, because all rows are sent or none.', {
    hint: 'Correct these rows and submit again.',
    fields: Object.fromEntries(fields),
  })
}
