import { type Client, ServiceError } from '../../client/client.ts'
import type { BodyInput } from '../../contract/operations.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { Lint } from '../../domain/csv/row-lint.ts'
import { isCalendarDate } from '../../domain/utc-time.ts'
import { canAsk, confirm } from '../ask/ask.ts'
import { CliError, invalid, usage } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import { parseJsonObject } from '../base/input-file.ts'
import type { Outcome, Session } from '../command.ts'
import { type Located, located, placeOf } from '../files/file-kind.ts'
import { withSavedMaps } from '../files/format-flags.ts'
import { encodeRows } from '../imports/chunk-rows.ts'
import { checkErrorsFile, errorsNameOf, openErrorsFile } from '../imports/errors-file.ts'
import { manifestFile } from '../imports/import-kind.ts'
import { reportDryRun, showProblems, showWarnings } from '../imports/import-report.ts'
import type { SendHow } from '../imports/repeats.ts'
import { columnsOf } from '../output/columns.ts'
import { askAbout, settleKnown, tellEarlier } from './known-slabs.ts'
import { type ManifestRows, readWholeFile } from './manifest-rows.ts'
import {
  isRepeated,
  type ManifestOptions,
  printManifest,
  repeatedNotice,
  reportManifest,
  type Submitted,
  submitOnce,
} from './manifest-submission.ts'

/** Submits the good rows. An arrival window requires POST /manifests (decisions 11). */
export async function submitManifestCsv(
  session: Session,
  name: string,
  bytes: Buffer,
  typed: ManifestOptions,
): Promise<Outcome> {
  const options = withSavedMaps(session.io, typed)
  checkWindow(options)
  const checked = await readWholeFile(session, manifestFile, { name, bytes }, options)
  const asksSkus =
    options.dryRun || whyWhole(options) !== undefined || (checked.bad.length > 0 && asksPerson(session))
  const asked = askAbout(session, checked.accepted, { ...options, asksSkus })
  const known = await asked.catch(async (error: unknown) => {
    await showProblems(session, locatedBad(checked))
    throw error
  })
  const read = withRejected(checked, known.unknown)
  const { rows, bad, header, places, skipped } = read
  const lints = [...read.warnings, ...known.slabs].sort((a, b) => a.row - b.row)
  const warnings = lints.map((lint) => located(lint, places))
  if (options.dryRun) {
    const counts = { rows: rows.length, bad: bad.length, most: Number.POSITIVE_INFINITY }
    const plan = { header, errors: locatedBad(read), warnings, skipped, ...counts }
    const outcome = await reportDryRun(session, { name, kind: manifestFile }, plan, () => [read.good])
    if (isRejected(read, known.slabs.length, options) || outcome === 'invalid') return 'invalid'
    tellEarlier(session, known, givenFields(options))
    return outcome
  }
  checkErrorsFile(session.io.cwd, options.errors)
  const isShown = await settle(session, { name, read, known: known.slabs.length, warnings }, options)
  const { submitted, rejected } = await submitGood(session, read, options)
  const errors = [...rejected, ...bad].sort((a, b) => a.row - b.row)
  const wanted = options.errors ?? errorsNameOf(name)
  const form = { ...read, source: { name } }
  const errorsFile = openErrorsFile(session, wanted, form, options)
  const inFile = errors.map((error) => located(error, places))
  const valuesAt = (at: number) => rows[(errors[at]?.row ?? 0) - 1]?.values ?? []
  errorsFile.write(inFile.map((error, at) => ({ ...error, values: valuesAt(at) })))
  const unseen = rejected.map((error) => located(error, places))
  return reportManifest(session, {
    head: givenFields(options),
    submitted,
    errors: inFile,
    shown: isShown ? { errors: unseen, warnings: [] } : { errors: inFile, warnings },
    rows: rows.length,
    skipped,
    errorsFile: errorsFile.settle(),
  })
}

/** POST /manifests, which an arrival window requires, accepts all rows or none. */
function whyWhole({ arrivesFrom, arrivesBy, strict }: ManifestOptions): string | undefined {
  if (strict) return '--strict'
  return arrivesFrom !== undefined || arrivesBy !== undefined ? 'an arrival window' : undefined
}

function isRejected({ bad }: ManifestRows, known: number, options: ManifestOptions): boolean {
  return (bad.length > 0 && whyWhole(options) !== undefined) || (known > 0 && options.strict === true)
}

type Checked = { name: string; read: ManifestRows; known: number; warnings: ReadonlyArray<Located<Lint>> }

/** A manifest cannot be changed, so a person decides first. Throws if it is not submitted. True if all faults were shown. */
async function settle(
  session: Session,
  { name, read, known, warnings }: Checked,
  options: ManifestOptions,
): Promise<boolean> {
  const { good, bad } = read
  const isAsked = asksPerson(session) && good.length > 0 && bad.length + known > 0
  if (!isRejected(read, known, options) && !isAsked) return false
  await showProblems(session, locatedBad(read))
  await showWarnings(session, warnings)
  const why = whyWhole(options)
  if (bad.length > 0 && why !== undefined)
    throw invalid(
      `Nothing was submitted, because with ${why} all rows are sent or none.`,
      `Correct these rows in ${name} and submit it again.`,
    )
  if (bad.length > 0)
    await confirm(
      session,
      `Submit the ${counted(good.length, 'good row')} without ${bad.length === 1 ? 'it' : 'them'}? No: correct ${name} first.`,
    )
  await settleKnown(session, known, 'row', options.strict)
  return true
}

function asksPerson(session: Session): boolean {
  return canAsk(session) && !session.options.yes
}

function withRejected(read: ManifestRows, rejected: readonly CsvRowError[] = []): ManifestRows {
  const rows = new Set(rejected.map(({ row }) => row))
  const isKept = ({ row }: { row: number }): boolean => !rows.has(row)
  return {
    ...read,
    good: read.good.filter(isKept),
    accepted: read.accepted.filter(isKept),
    bad: [...read.bad, ...rejected].sort((a, b) => a.row - b.row),
  }
}

function locatedBad({ bad, places }: ManifestRows) {
  return bad.map((error) => located(error, places))
}

/** `submitted` is undefined if no row is good. If the service rejects the whole, faults of rows found before are still shown. */
async function submitGood(
  session: Session,
  read: ManifestRows,
  options: ManifestOptions,
): Promise<{ submitted?: Submitted; rejected: CsvRowError[] }> {
  if (read.good.length === 0) return { rejected: [] }
  const inFile = (error: CsvRowError) => ({ ...error, row: read.good[error.row - 1]?.row ?? error.row })
  try {
    const submitted = await submit(session, read, options)
    return { submitted, rejected: submitted.errors.map(inFile) }
  } catch (error) {
    if (error instanceof ServiceError && Array.isArray(error.extra.errors))
      return { rejected: error.extra.errors.map(inFile) }
    await showProblems(session, locatedBad(read))
    throw error
  }
}

async function submit(session: Session, read: ManifestRows, options: ManifestOptions): Promise<Submitted> {
  const { reference } = options
  const why = whyWhole(options)
  if (why === undefined) {
    const form = formOf(read, options)
    const content = JSON.stringify({ ...form, file: form.file.toString() })
    return submitOnce(session, { reference, content, options }, (client, how) => sendForm(client, form, how))
  }
  session.notice(`With ${why} the rows are submitted as JSON: all of them or none.`)
  const body = manifestOf(read, options)
  return submitOnce(session, { reference, content: JSON.stringify(body), options }, (client, how) =>
    sendBody(client, body, how).catch((error) => {
      throw inRowsOfFile(error, read)
    }),
  )
}

function formOf({ header, good }: ManifestRows, { reference, source }: ManifestOptions) {
  const file = encodeRows(manifestFile, header, good)
  return { file, reference, ...(source !== undefined && { source: source as 'other' }) }
}

async function sendForm(client: Client, form: ReturnType<typeof formOf>, how: SendHow): Promise<Submitted> {
  const answer = await client.submitManifestCsv({ form, ...how })
  const { manifest, created, errors } = answer.data
  return { manifest, created, errors, isRepeated: isRepeated(answer) }
}

type NewManifest = BodyInput<'submitManifest'>

async function sendBody(client: Client, body: NewManifest, how: SendHow): Promise<Submitted> {
  const answer = await client.submitManifest({ body, ...how })
  return { manifest: answer.data, errors: [], isRepeated: isRepeated(answer) }
}

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
  const { checkBody, lintBody, linesOf, rejectUnknown, repeatedSlabs, settleLints } = await import(
    './manifest-check.ts'
  )
  if (options.dryRun) checkBody(body, file)
  const lines = linesOf(body)
  const { reference, expected_arrival_end: arrivesBy } = body
  const known = await askAbout(session, lines, {
    ...options,
    reference,
    ...(arrivesBy != null && { arrivesBy }),
  })
  const twice = [...repeatedSlabs(lines), ...known.slabs]
  await settleLints(session, [...(options.lint === false ? [] : lintBody(lines)), ...twice], file)
  if (options.dryRun) {
    rejectUnknown(known.unknown ?? [], file)
    session.notice(`${file} was checked; nothing was sent.`)
    const printer = await session.printer({ columns: columnsOf<{ lines: number }>('lines') })
    await printer.one({ lines: body.lines.length })
    if (twice.length > 0 && options.strict) return 'invalid'
    return tellEarlier(session, known, body)
  }
  await settleKnown(session, new Set(twice.map(({ row }) => row)).size, 'line', options.strict)
  const submission = { reference, content: JSON.stringify(body), options }
  const submitted = await submitOnce(session, submission, (client, how) => sendBody(client, body, how))
  if (submitted.isRepeated) session.notice(repeatedNotice(session, submitted.manifest, body))
  await printManifest(session, submitted.manifest)
}

function manifestOf({ accepted }: ManifestRows, options: ManifestOptions): NewManifest {
  return { ...givenFields(options), lines: accepted.map(({ value }) => value) } as NewManifest
}

function givenFields({
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
      const place = placeOf(places.of(good[Number(index)]?.row ?? 0))
      return [index === undefined ? path : `${place} ${field}`, texts] as const
    },
  )
  return new CliError('invalid', 'The manifest was not submitted, because all rows are sent or none.', {
    hint: 'Correct these rows and submit again.',
    fields: Object.fromEntries(fields),
  })
}

/** Checked before anything is sent. Throws `usage` naming the flag. */
export function checkWindow({ arrivesFrom, arrivesBy }: { arrivesFrom?: string; arrivesBy?: string }): void {
  for (const [flag, text] of [
    ['--arrives-from', arrivesFrom],
    ['--arrives-by', arrivesBy],
  ] as const) {
    if (text === undefined || isCalendarDate(text)) continue
    throw usage(`${flag}: "${text}" is not a date.`, 'Write it as 2026-05-04.')
  }
  if (arrivesFrom !== undefined && arrivesBy !== undefined && arrivesBy < arrivesFrom)
    throw usage(`--arrives-by ${arrivesBy} is before --arrives-from ${arrivesFrom}.`)
}
