import type { Client } from '../../../client/client.ts'
import { getWholeReport } from '../../../client/whole-manifest.ts'
import type { ManifestReport, ManifestWithLines } from '../../../contract/resources/manifest.ts'
import { confirm, confirmable } from '../../ask/ask.ts'
import { CliError, usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { adviseOnConflict, afterDone } from '../../base/failure.ts'
import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { wholeNumber } from '../../find/filters.ts'
import { findManifestId } from '../../find/find-by-reference.ts'
import { forEachNamed, idsOrReferences, inAll, isMany, namesFrom } from '../../list/several.ts'
import { isJson } from '../../output/format.ts'
import { printReport, type ReportOptions, reportable } from '../../report/print-report.ts'
import { manifestList, manifestRecord, reportLines, reportView } from '../../views/manifests.ts'

type Options = IdempotentOptions & ReportOptions & { preview?: boolean; maxMissing?: string }

export const command: CommandFile<[string[], Options]> = {
  summary: 'Close manifests and reconcile them',
  details:
    'Lines without arrivals become missing. A closed manifest cannot be reopened. The report, --preview, and --status are for one manifest.',
  examples: [
    'manifests close PO-1041 --preview',
    'manifests close PO-1041 --max-missing 2 --yes',
    'manifests close PO-1041 PO-1042 --yes',
  ],
  define: (close) =>
    idempotent(confirmable(reportable(close)))
      .argument('<manifest...>', idsOrReferences)
      .option('--preview', 'Show the report without closing')
      .option('--max-missing <n>', 'Fail if more than this many units of a manifest would be missing'),
  view: (format, given, options) => {
    if (isMany(given)) return manifestList
    if (options?.preview || !isJson(format)) return reportView(reportLines)
    if (options?.status === undefined) return manifestRecord
    const hint = 'Leave it out, or run: custody manifests report MANIFEST --json --status'
    throw usage('--status filters the report, but JSON prints the manifest.', hint)
  },
  async run(session, given, options) {
    if (isMany(given)) return closeSeveral(session, given, options)
    const [name = ''] = given
    return closeOne(session, name, options)
  },
}

async function closeSeveral(session: Session, given: readonly string[], options: Options): Promise<Outcome> {
  const { preview, status, idempotencyKey } = options
  if (preview || status !== undefined)
    throw usage('--preview and --status are for one manifest.', 'Name one, or leave them out.')
  const most = mostMissing(options)
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  const question = `Lines without arrivals become missing. Close ${inAll(named, 'manifest')}?`
  await confirm(session, question, session.targetToWrite)
  return forEachNamed(session, named, async (name) => {
    const manifest_id = await findManifestId(client, name)
    if (most !== undefined) checkMissing(await getWholeReport(client, manifest_id), most)
    const { data } = await client
      .closeManifest({ params: { manifest_id }, idempotencyKey })
      .catch(adviseOnConflict(`See: custody manifests report ${quoted(name)}`))
    session.notice(summaryOfLines(data))
    return data
  })
}

function mostMissing({ maxMissing }: Options): number | undefined {
  return maxMissing === undefined ? undefined : wholeNumber(maxMissing, '--max-missing', 0)
}

async function closeOne(session: Session, given: string, options: Options): Promise<void> {
  const most = mostMissing(options)
  const { client } = await session.target()
  const manifest_id = await findManifestId(client, given)
  const isReportNeeded = options.preview === true || most !== undefined || options.status !== undefined
  const report = await reportOf(client, manifest_id, isReportNeeded)
  if (report && options.preview) return printReport(session, report, options)
  if (report) checkMissing(report, most)
  // Without a report, the manifest's own lines are printed: a wrong --columns must fail before the manifest is closed.
  const printer = await session.printer(report ? undefined : manifestRecord)
  const question = `${consequence(given, report)} Close it?`
  if (report?.status !== 'reconciled') await confirm(session, question, session.targetToWrite)
  await session.targetToWrite()
  const { data } = await client
    .closeManifest({ params: { manifest_id }, idempotencyKey: options.idempotencyKey })
    .catch(adviseOnConflict(`See: custody manifests report ${quoted(given)}`))
  const final = report && (await getWholeReport(client, manifest_id).catch((error: Error) => error))
  if (final === undefined || final instanceof Error) {
    session.notice(summaryOfLines(data))
    if (final)
      afterDone(
        final,
        session.notice,
        (why) => `Cannot read its report${why} Try: custody manifests report ${quoted(given)}`,
      )
    // Only JSON prints the manifest; other formats would print the report.
    if (final && !printer.isJson) return
  } else {
    session.notice(summary(final))
    if (!printer.isJson) return printReport(session, final, options)
  }
  await printer.one(data)
}

/** Undefined if the service has no reports and none is needed: closing is not an extension. */
async function reportOf(
  client: Client,
  manifest_id: string,
  isNeeded: boolean,
): Promise<ManifestReport | undefined> {
  try {
    return await getWholeReport(client, manifest_id)
  } catch (error) {
    const { mayBeUnsupported } = await import('../../connection/operation-support.ts')
    if (isNeeded || !(await mayBeUnsupported(client, error))) throw error
    return undefined
  }
}

function checkMissing({ reference, totals, status }: ManifestReport, most: number | undefined): void {
  if (most === undefined || totals.missing <= most || status === 'reconciled') return
  throw new CliError(
    'conflict',
    `${reference} was not closed: ${counted(totals.missing, 'unit')} would be missing, more than --max-missing ${most}.`,
    { hint: `See: custody manifests close ${reference} --preview` },
  )
}

function consequence(given: string, report: ManifestReport | undefined): string {
  if (report === undefined) return `Units of ${given} that have not arrived will be missing.`
  const { reference, totals } = report
  const missing =
    totals.missing === 0
      ? `Everything on ${reference} has arrived`
      : `${counted(totals.missing, 'unit')} of ${totals.expected} on ${reference} will be missing`
  const others = [
    totals.condition_mismatch > 0 &&
      `${counted(totals.condition_mismatch, 'unit')} arrived with a condition mismatch`,
    totals.unexpected > 0 && `${counted(totals.unexpected, 'unit')} arrived unexpectedly`,
  ].filter(Boolean)
  return `${[missing, ...others].join(', ')}.`
}

function summary({ reference, totals }: ManifestReport): string {
  const { matched, missing, condition_mismatch, unexpected } = totals
  return `${reference} is reconciled: ${matched} matched, ${missing} missing, ${condition_mismatch} with a condition mismatch, ${unexpected} unexpected.`
}

function summaryOfLines({ reference, status, lines }: ManifestWithLines): string {
  const missing = lines.filter((line) => line.status === 'missing').length
  return `${reference} is ${status}: ${missing} of ${lines.length} lines missing.`
}
