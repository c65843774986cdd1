import { pagesOf } from '../../client/pages.ts'
import { linesPageMax, pageSizeMax } from '../../contract/limits.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { Manifest, ManifestLineCreate } from '../../contract/resources/manifest.ts'
import { unknownSku } from '../../domain/csv/csv-row.ts'
import type { Lint } from '../../domain/csv/row-lint.ts'
import { hasOtherLines, lastDueArrivalEnd, lineContent } from '../../domain/manifests/manifest.ts'
import { canAsk, confirm } from '../ask/ask.ts'
import { CliError, invalid } from '../base/cli-error.ts'
import { counted } from '../base/counted.ts'
import type { Session } from '../command.ts'
import { partnerTerms } from '../connection/partner-terms.ts'
import { scopeTime } from '../connection/scope-time.ts'
import type { Target } from '../connection/target-type.ts'
import { askTarget } from '../find/ask-target.ts'
import { productsBySku } from '../find/by-key.ts'
import { repeatsOf } from '../imports/repeats.ts'
import { findItems } from '../items/find-items.ts'
import { type ManifestOptions, newRowsAdvice, repeatedNotice, type SentHead } from './manifest-submission.ts'

type Line = { row: number; value: Partial<ManifestLineCreate> }

/** `slabs`: in custody or already expected. Empty if the reference is used, because this may be a repeat. */
type Known = {
  slabs: Lint[]
  /** If asked, lines whose SKU is not in the catalog: the service rejects them. */
  unknown?: CsvRowError[]
  earlier?: { manifest: Manifest; isSame: boolean }
  /** The manifest would close by itself as soon as it is submitted. */
  isOver?: boolean
}

type Asked = Pick<ManifestOptions, 'reference' | 'dryRun' | 'again' | 'offline' | 'strict' | 'arrivesBy'> & {
  asksSkus?: boolean | undefined
}

/** Throws `invalid` if a new manifest's arrival window is over: its lines would all be missing, and it cannot be reopened. */
export async function askAbout(session: Session, lines: readonly Line[], options: Asked): Promise<Known> {
  if (options.offline || lines.length === 0) return { slabs: [] }
  const known = await askTarget(session, (client) => lookUp(session, client, lines, options), options.strict)
  if (known?.isOver)
    throw invalid(
      `The arrival window ended on ${options.arrivesBy}, so the manifest would close at once, with everything missing.`,
      'Correct the date after --arrives-by, or expected_arrival_end in the JSON, or leave it out.',
    )
  return known ?? { slabs: [] }
}

async function lookUp(
  session: Session,
  client: Target['client'],
  lines: readonly Line[],
  options: Asked,
): Promise<Known> {
  const { reference, dryRun, again, asksSkus = dryRun } = options
  const query = { reference, page_size: pageSizeMax }
  const results = reference === '' ? [] : (await client.listManifests({ query })).data.results
  const [newest] = results
  if ((newest === undefined || again) && (await isOver(session, client, options)))
    return { slabs: [], isOver: true }
  if (newest !== undefined && dryRun && (await repeatsOf(session, await session.target(), options)).repeats) {
    const same = await manifestWith(client, results, lines)
    return { slabs: [], earlier: { manifest: same ?? newest, isSame: same !== undefined } }
  }
  const slabs = lines.flatMap(({ row, value: { grader = null, cert_number } }) =>
    cert_number == null ? [] : [{ row, given: cert_number, grader, cert_number, qid: null }],
  )
  return {
    slabs: newest === undefined ? await knownSlabs(client, slabs) : [],
    unknown: asksSkus ? await unknownSkus(client, lines) : [],
  }
}

async function unknownSkus(client: Target['client'], lines: readonly Line[]): Promise<CsvRowError[]> {
  const skus = new Set(lines.flatMap(({ value }) => value.sku ?? []))
  const products = await productsBySku(client, skus)
  return lines.flatMap(({ row, value: { sku } }) =>
    sku == null || products.has(sku) ? [] : [unknownSku(row, sku)],
  )
}

async function isOver(session: Session, client: Target['client'], { arrivesBy }: Asked): Promise<boolean> {
  if (arrivesBy === undefined) return false
  const now = new Date(await scopeTime(session)).toISOString()
  return arrivesBy <= lastDueArrivalEnd(now, (await partnerTerms(client)).closeGraceDays)
}

/** Compares as the service does (decisions 13). */
async function manifestWith(
  client: Target['client'],
  manifests: readonly Manifest[],
  lines: readonly Line[],
): Promise<Manifest | undefined> {
  const wanted = String(lines.map(({ value }) => lineContent(value)).sort())
  for (const manifest of manifests.filter(({ line_count }) => line_count === lines.length)) {
    const params = { manifest_id: manifest.id }
    const pages = pagesOf((query) =>
      client.getManifest({ params, query: { ...query, page_size: linesPageMax } }),
    )
    const found: string[] = []
    for await (const { data } of pages) found.push(...data.lines.map(lineContent))
    if (String(found.sort()) === wanted) return manifest
  }
  return undefined
}

type Slab = Parameters<typeof findItems>[1][number]

async function knownSlabs(client: Target['client'], slabs: readonly Slab[]): Promise<Lint[]> {
  const found = await findItems(client, slabs, false)
  return found.flatMap(({ row, given, answer, item, grader, reference: manifest }) => {
    const where =
      answer === 'held'
        ? `is already in custody: ${item?.qid}, ${item?.status}`
        : answer === 'ambiguous'
          ? `is already in custody as the number of several graders' slabs: ${grader}`
          : answer === 'expected' && `is on the open manifest ${manifest} already`
    if (where === false) return []
    return { row, field: 'cert_number', message: `"${given}" ${where}`, isCertain: false }
  })
}

/** A slab arrives once, so a person decides whether it is expected again. Throws if the manifest is not submitted. */
export async function settleKnown(
  session: Session,
  known: number,
  what: 'row' | 'line',
  strict: boolean | undefined,
): Promise<void> {
  if (known === 0) return
  const named = counted(known, `${what} names a slab`, `${what}s name slabs`)
  const message = `${named} that custody has or expects already`
  if (strict)
    throw invalid(
      `Nothing was submitted: ${message}.`,
      `Delete these ${what}s, or submit them without --strict.`,
    )
  if (canAsk(session)) await confirm(session, `${message}. Submit them anyway?`)
}

/** Ends a dry run as the submission would. */
export function tellEarlier(session: Session, { earlier }: Known, head: SentHead): void {
  if (earlier === undefined) return
  const { manifest, isSame } = earlier
  if (!isSame)
    throw new CliError('conflict', hasOtherLines(manifest), { hint: newRowsAdvice(manifest.reference) })
  session.notice(repeatedNotice(session, manifest, head))
}
