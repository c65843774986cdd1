import type { Client } from '../../client/client.ts'
import type { Lint } from '../../domain/csv/row-lint.ts'
import { canAsk, confirm } from '../ask/confirm.ts'
import { CliError, invalid, usage } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import type { Outcome, Session } from '../command.ts'
import { encodeRows } from '../imports/chunk-rows.ts'
import { checkErrorsFile, errorsNameOf, openErrorsFile, settleErrorsFile } from '../imports/errors-file.ts'
import { type Located, located } from '../imports/formats/file-kind.ts'
import { withSavedMaps } from '../imports/formats/format-flags.ts'
import { manifestFile } from '../imports/import-kind.ts'
import { reportDryRun, showProblems, showWarnings } from '../imports/import-report.ts'

import { shownMax } from '../imports/plan-file.ts'
import type { SendHow } from '../imports/repeats.ts'
import { checkWindow } from './arrival-window.ts'
import { knownSlabs } from './known-slabs.ts'
import { manifestOf, submitAsJson } from './manifest-json.ts'
import type { ManifestOptions } from './manifest-options.ts'
import { reportManifest } from './manifest-report.ts'
import { type ManifestRows, readManifestRows } from './manifest-rows.ts'
import { isRepeated, type Submitted, submitOnce } from './manifest-submission.ts'

/** Submits the good rows; with an arrival window through POST /manifests, which alone takes one (decisions 11). */
export async function submitManifestCsv(
  session: Session,
  file: string,
  bytes: Buffer,
  typed: ManifestOptions,
): Promise<Outcome> {
  const options = withSavedMaps(session.io, typed)
  checkWindow(options)
  const name = file === '-' ? 'stdin' : file
  const read = await readManifestRows(session, name, bytes, options)
  const { rows, bad, header, places } = read
  const known = options.offline ? [] : await knownSlabs(session, read, options.reference)
  const warnings = [...read.warnings, ...known].map((lint) => located(lint, places))
  if (options.dryRun) {
    const firstBad = locatedBad(read)
    const plan = { header, rows: rows.length, bad: bad.length, firstBad, warnings }
    const outcome = await reportDryRun(session, { name, kind: manifestFile }, plan, () => [read.good])
    const isRejected = (bad.length > 0 && isWhole(options)) || (known.length > 0 && options.strict)
    return isRejected ? 'invalid' : outcome
  }
  if (options.reference.trim() === '') throw usage('--reference must not be empty.')
  checkErrorsFile(session.io.cwd, options.errors)
  if (bad.length > 0) await settleBadRows(session, name, read, options)
  if (known.length > 0)
    await settleKnown(
      session,
      known.map((lint) => located(lint, places)),
      options,
    )
  const submitted = await submitGood(session, read, options)
  const errors = [...(submitted?.errors ?? []), ...bad].sort((a, b) => a.row - b.row)
  const wanted = options.errors ?? errorsNameOf(name)
  const form = { ...read, source: { name } }
  const errorsFile = openErrorsFile(session, wanted, form)
  const inFile = errors.map((error) => located(error, places))
  errorsFile.write(
    inFile.map((error, index) => ({
      ...error,
      values: rows[(errors[index]?.row ?? 0) - 1]?.values ?? [],
    })),
  )
  const settled = settleErrorsFile(session, wanted, errorsFile)
  return reportManifest(session, {
    submitted,
    errors: inFile,
    warnings,
    rows: rows.length,
    errorsFile: settled,
  })
}

/** POST /manifests takes all rows or none, and alone takes an arrival window. */
function isWhole({ arrivesFrom, arrivesBy, strict }: ManifestOptions): boolean {
  return strict === true || arrivesFrom !== undefined || arrivesBy !== undefined
}

/** A manifest cannot be changed, so a person decides whether it may lack rows. Throws if it is not submitted. */
async function settleBadRows(
  session: Session,
  name: string,
  read: ManifestRows,
  options: ManifestOptions,
): Promise<void> {
  const { good, bad } = read
  const isAsked = canAsk(session) && good.length > 0
  if (!isWhole(options) && !isAsked) return
  await showProblems(session, locatedBad(read).slice(0, shownMax), bad.length, '')
  if (isWhole(options)) {
    const why = options.strict ? '--strict' : 'an arrival window'
    throw new CliError('invalid', `Nothing was submitted, because with ${why} all rows are sent or none.`, {
      hint: `Correct these rows in ${name} and submit it again.`,
    })
  }
  await confirm(
    session,
    `Submit the ${counted(good.length, 'good row')} without ${bad.length === 1 ? 'it' : 'them'}? No: correct ${name} first.`,
  )
}

/** A slab arrives once, so a person decides whether it is expected again. Throws if it is not submitted. */
async function settleKnown(
  session: Session,
  known: ReadonlyArray<Located<Lint>>,
  { strict }: ManifestOptions,
): Promise<void> {
  const rows = counted(known.length, 'row names a slab', 'rows name slabs')
  const message = `${rows} that custody has or expects already`
  if (!strict && (session.options.yes || !canAsk(session))) return
  await showWarnings(session, known.slice(0, shownMax))
  if (strict)
    throw invalid(`Nothing was submitted: ${message}.`, 'Delete these rows, or submit them without --strict.')
  await confirm(session, `${message}. Submit them anyway?`)
}

function locatedBad({ bad, places }: ManifestRows) {
  return bad.map((error) => located(error, places))
}

/** Undefined if no row is good. If the service rejects the whole, faults of rows found before are still shown. */
async function submitGood(
  session: Session,
  read: ManifestRows,
  options: ManifestOptions,
): Promise<Submitted | undefined> {
  if (read.good.length === 0) return undefined
  try {
    return await submit(session, read, options)
  } catch (error) {
    await showProblems(session, locatedBad(read).slice(0, shownMax), read.bad.length, '')
    throw error
  }
}

async function submit(session: Session, read: ManifestRows, options: ManifestOptions): Promise<Submitted> {
  const { reference } = options
  const isJson = isWhole(options)
  const why = options.strict ? '--strict' : 'an arrival window'
  if (isJson) session.notice(`With ${why} the rows are submitted as JSON: all of them or none.`)
  const form = isJson ? undefined : formOf(read, options)
  const content = JSON.stringify(
    form ? { ...form, file: form.file.toString() } : manifestOf(read.header, read.good, options),
  )
  const submitted = await submitOnce(session, { reference, content, options }, (client, how) =>
    form ? sendForm(client, form, how) : submitAsJson(client, read, options, how),
  )
  const errors = submitted.errors.map((error) => ({
    ...error,
    row: read.good[error.row - 1]?.row ?? error.row,
  }))
  const { created, ...rest } = submitted
  return { ...rest, errors, ...(created !== undefined && !isJson && { created }) }
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
