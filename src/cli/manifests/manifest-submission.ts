import { type Answer, type Client, ServiceError } from '../../client/client.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type {
  Manifest,
  ManifestCreate,
  ManifestLine,
  ManifestWithLines,
} from '../../contract/resources/manifest.ts'
import type { Lint } from '../../domain/csv/row-lint.ts'
import { newUuid } from '../../runtime/runtime.ts'
import { quoted } from '../base/shell-word.ts'
import { noticedTime } from '../base/times.ts'
import type { Outcome, Session } from '../command.ts'
import { isReplayed } from '../connection/idempotency.ts'
import { closingDays } from '../connection/partner-terms.ts'
import type { Located, Skipped } from '../files/file-kind.ts'
import type { ImportOptions } from '../imports/import-options.ts'
import { showProblems, showWarnings } from '../imports/import-report.ts'
import { repeatsOf, type SendHow } from '../imports/repeats.ts'

/** `created` is left out if the operation does not return it. */
export type Submitted = {
  manifest: Manifest
  created?: ManifestLine[]
  errors: CsvRowError[]
  isRepeated: boolean
}

type Submission = {
  reference: string
  content: string | Uint8Array
  options: ImportOptions
}

/** Throws `conflict` if the service has another manifest with this reference, in any status. */
export async function submitOnce(
  session: Session,
  { reference, content, options }: Submission,
  send: (client: Client, how: SendHow) => Promise<Submitted>,
): Promise<Submitted> {
  const target = await session.targetToWrite()
  const { keyOf, repeats, retries } = await repeatsOf(session, target, options)
  const sendAs = (idempotencyKey: string) => send(target.client, { idempotencyKey, repeats })
  try {
    const submitted = await sendAs(keyOf('manifest', content)).catch((error) => {
      // A stored conflict shows the manifest as it was. Under any key, the service skips what it has.
      const isStored = error instanceof ServiceError && isReplayed(error)
      if (isStored && retries && repeats) return sendAs(newUuid())
      throw error
    })
    return submitted.isRepeated ? await refreshed(target.client, submitted) : submitted
  } catch (error) {
    if (error instanceof ServiceError && error.extra.manifest_id !== undefined) {
      error.advice = newRowsAdvice(reference)
    }
    throw error
  }
}

/** A stored result shows the manifest as it was, so its present state is read. */
async function refreshed(client: Client, submitted: Submitted): Promise<Submitted> {
  const { data } = await client.getManifest({ params: { manifest_id: submitted.manifest.id } })
  const { lines: _, ...manifest } = data as ManifestWithLines
  return { ...submitted, manifest }
}

export function isRepeated(answer: Answer<unknown>): boolean {
  return answer.headers['custody-repeated'] === 'true' || (isReplayed(answer) && !answer.isRepeat)
}

export function newRowsAdvice(reference: string): string {
  return `Nothing was submitted. Submit only the new rows, under another reference, as ${secondOf(reference)}.`
}

/** The same each time, even if it is taken: then these rows were submitted, which the service recognises. */
const secondOf = (reference: string): string => quoted(`${reference}-2`)

export type ManifestOptions = ImportOptions & {
  reference: string
  source?: string
  arrivesFrom?: string
  arrivesBy?: string
  strict?: boolean
  offline?: boolean
}

/** Other fields that were sent. The reference and the lines alone identify a manifest (decisions 13). */
export type SentHead = Partial<
  Pick<ManifestCreate, 'source' | 'expected_arrival_start' | 'expected_arrival_end'>
>

type Result = {
  head: SentHead
  submitted: Submitted | undefined
  errors: readonly Located<CsvRowError>[]
  /** Without those that were shown before a question. */
  shown: { errors: readonly Located<CsvRowError>[]; warnings: readonly Located<Lint>[] }
  rows: number
  skipped: Skipped
  /** Undefined if the file of failed rows could not be written. */
  errorsFile: string | undefined
}

export async function reportManifest(session: Session, result: Result): Promise<Outcome> {
  const { head, submitted, errors, shown, rows, skipped, errorsFile } = result
  const where = errorsFile === undefined ? '' : ` in ${errorsFile}`
  await showProblems(session, shown.errors, shown.errors.length, where)
  await showWarnings(session, shown.warnings)
  const printer = await session.printer()
  const totals = { created: rows - errors.length, failed: errors.length, submitted: rows }
  if (submitted === undefined) {
    if (printer.isWhole) await printer.one({ manifest: null, created: [], errors, totals, skipped })
    if (rows === 0) return 'ok'
    session.notice(`No row can be submitted${where && `; they are all${where}`}`)
    return 'invalid'
  }
  const { manifest, created, isRepeated } = submitted
  const failedThen = errors.length === 0 ? '' : ' The failed rows are those of that time.'
  if (isRepeated) session.notice(repeatedNotice(session, manifest, head) + failedThen)
  const isAll = printer.isWhole && created !== undefined
  if (isAll) await printer.one({ manifest, created, errors, totals, skipped })
  else await printManifest(session, manifest)
  if (errors.length === 0) return 'ok'
  session.notice(`${totals.created} of ${rows} rows were submitted${where && `; the others are${where}`}`)
  if (errorsFile === undefined) return 'some_failed'
  session.notice(
    `Correct them there and submit that file as a manifest of its own, with --reference ${secondOf(manifest.reference)}: a manifest cannot be changed.`,
  )
  return 'some_failed'
}

/** Adds the day on which the manifest closes by itself, but not to JSON, which is the service's own. */
export async function printManifest(session: Session, manifest: Manifest): Promise<void> {
  const printer = await session.printer()
  if (printer.isWhole) return printer.one(manifest)
  const { client } = await session.target()
  // The manifest has been submitted, so a failed lookup of its closing day does not fail the command.
  const closes = await closingDays(client)([manifest]).catch(() => () => ({}))
  await printer.one({ ...manifest, ...closes(manifest) })
}

export function repeatedNotice({ io }: Session, manifest: Manifest, head: SentHead): string {
  const { reference, created_at, status } = manifest
  const differs = (name: keyof SentHead): boolean =>
    head[name] !== undefined && head[name] !== (manifest[name] ?? null)
  const hasOtherWindow = differs('expected_arrival_start') || differs('expected_arrival_end')
  const unchanged = [...(differs('source') ? ['source'] : []), ...(hasOtherWindow ? ['arrival window'] : [])]
  const verb = unchanged.length === 1 ? 'was' : 'were'
  const rest = unchanged.length === 0 ? '' : ` Its ${unchanged.join(' and ')} ${verb} not changed.`
  return `${reference} was submitted before (${noticedTime(io, created_at)}) and is ${status}: nothing was submitted twice.${rest}`
}
