import { Option } from 'commander'
import {
  type FulfillmentStatus,
  fulfillmentStatuses,
  type ProcessingStage,
  processingStages,
} from '../../../contract/enums.ts'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile } from '../../command.ts'
import { type IdempotentOptions, idempotent } from '../../connection/idempotency.ts'
import { findFulfillmentId, findTransferId } from '../../find/find-by-reference.ts'
import { forEachNamed, idsOrReferences, namesFrom, oneOrMany } from '../../list/several.ts'
import { fulfillmentList, fulfillmentRecord, transferList, transferRecord } from '../../views/fulfillments.ts'

type FulfillmentOptions = IdempotentOptions & {
  to?: FulfillmentStatus
  stage?: ProcessingStage
  issue?: string
}

export const fulfillment: CommandFile<[string[], FulfillmentOptions]> = {
  summary: 'Move fulfillments to a status or stage',
  examples: [
    'sandbox fulfillment WEB-20418 --to delivered',
    'sandbox fulfillment WEB-20418 --stage packed',
    'sandbox fulfillment WEB-20418 --to exception --issue "address_undeliverable: no such house number"',
  ],
  define: (fulfillment) =>
    idempotent(fulfillment)
      .argument('<fulfillment...>', idsOrReferences)
      .addOption(new Option('--to <status>', 'New status').choices(fulfillmentStatuses))
      .addOption(new Option('--stage <stage>', 'Stage of processing').choices(processingStages))
      .option('--issue <code: message>', 'The issue, with --to exception'),
  view: (_format, given) => oneOrMany(given, fulfillmentRecord, fulfillmentList),
  async run(session, given, options) {
    const { to, stage, issue, idempotencyKey } = options
    if (to === undefined && stage === undefined) throw usage('--to or --stage is required.')
    const body = {
      // Only a fulfillment in processing has a stage.
      to_status: to ?? 'processing',
      ...(stage !== undefined && { to_stage: stage }),
      ...(issue !== undefined && { issue: issueOf(issue) }),
    }
    const named = await namesFrom(session, given)
    const { client } = await session.targetToWrite()
    return forEachNamed(session, named, async (name) => {
      const fulfillment_id = await findFulfillmentId(client, name)
      return (await client.advanceFulfillment({ params: { fulfillment_id }, body, idempotencyKey })).data
    })
  },
}

function issueOf(text: string): { code: string; message: string } {
  const [, code, message] = /^\s*([\w.-]+)\s*:\s*(.+)$/s.exec(text) ?? []
  if (code === undefined || message === undefined) {
    throw usage(`--issue: "${text}" is not of the form "code: message".`)
  }
  return { code, message }
}

type TransferOptions = IdempotentOptions & { to: 'completed' | 'declined' }

export const transfer: CommandFile<[string[], TransferOptions]> = {
  summary: 'Complete or decline requested transfers',
  examples: ['sandbox transfer SB-0304 --to completed'],
  define: (transfer) =>
    idempotent(transfer)
      .argument('<transfer...>', idsOrReferences)
      .addOption(
        new Option('--to <status>', 'New status').choices(['completed', 'declined']).makeOptionMandatory(),
      ),
  view: (_format, given) => oneOrMany(given, transferRecord, transferList),
  async run(session, given, { to, idempotencyKey }) {
    const named = await namesFrom(session, given)
    const { client } = await session.targetToWrite()
    const body = { to_status: to }
    return forEachNamed(session, named, async (name) => {
      const transfer_id = await findTransferId(client, name)
      return (await client.resolveTransfer({ params: { transfer_id }, body, idempotencyKey })).data
    })
  },
}
