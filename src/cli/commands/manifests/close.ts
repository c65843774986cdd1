import type { ManifestReport } from '../../../contract/resources/manifest.ts'
import { CliError } from '../../cli-error.ts'
import type { CommandFile } from '../../command.ts'
import { confirm, confirmable } from '../../confirm.ts'
import { wholeNumber } from '../../filters.ts'
import { findManifestId } from '../../find-manifest.ts'
import { type IdempotentOptions, idempotent } from '../../idempotency.ts'
import type { Session } from '../../session.ts'
import { manifestRecord, manifestReport } from '../../views/manifests.ts'

type Options = IdempotentOptions & { preview?: boolean; maxMissing?: string }

export const command: CommandFile<[string, Options]> = {
  summary: 'declare that no more items are expected, and reconcile',
  details: 'Lines that nothing has arrived for become missing. A closed manifest cannot be opened again.',
  examples: ['manifests close PO-1041 --preview', 'manifests close PO-1041 --max-missing 2 --yes'],
  define: (close) =>
    idempotent(confirmable(close))
      .argument('<manifest>', 'its id or reference')
      .option('--preview', 'show the report as it would be; close nothing')
      .option('--max-missing <n>', 'refuse when more units than this would be missing'),
  run,
}

async function run(session: Session, given: string, options: Options): Promise<void> {
  const most =
    options.maxMissing === undefined ? undefined : wholeNumber(options.maxMissing, '--max-missing', 0)
  const { client } = await session.target()
  const manifest_id = await findManifestId(client, given)
  const report = (await client.getManifestReport({ params: { manifest_id } })).data
  if (options.preview) return (await session.printer()).one(report, manifestReport)
  checkMissing(report, most)
  if (report.status !== 'reconciled') await confirm(session, `${consequence(report)} Close it?`)
  await session.targetToWrite()
  const { data } = await client.closeManifest({
    params: { manifest_id },
    idempotencyKey: options.idempotencyKey,
  })
  session.notice(summary((await client.getManifestReport({ params: { manifest_id } })).data))
  await (await session.printer()).one(data, manifestRecord)
}

function checkMissing({ reference, totals, status }: ManifestReport, most: number | undefined): void {
  if (most === undefined || totals.missing <= most || status === 'reconciled') return
  throw new CliError(
    'conflict',
    `${reference} was not closed: ${units(totals.missing)} would be missing, more than --max-missing ${most}.`,
    { hint: `See: custody manifests close ${reference} --preview` },
  )
}

function consequence({ reference, totals }: ManifestReport): string {
  if (totals.missing === 0) return `Everything on ${reference} has arrived.`
  return `${units(totals.missing)} of ${totals.expected} on ${reference} will be missing.`
}

function summary({ reference, totals }: ManifestReport): string {
  const { matched, missing, condition_mismatch, unexpected } = totals
  return `${reference} is reconciled: ${matched} matched, ${missing} missing, ${condition_mismatch} with a condition mismatch, ${unexpected} unexpected.`
}

function units(count: number): string {
  return count === 1 ? '1 unit' : `${count} units`
}
