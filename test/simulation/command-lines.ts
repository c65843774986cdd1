import type { OperationId } from '../../src/contract/operations.ts'
import type { Asking } from './making.ts'

type Ask<Id extends OperationId> = Extract<Asking, { id: Id }>['request']
/**
 * A command of one request, as typed. `shown`: what it prints of the answer if not the answer itself, undefined if it prints
 * nothing; `isKeyless`: it accepts no key.
 */
type Line<Id extends OperationId> = {
  words: (request: Ask<Id>, no: number) => string[]
  /** A file passed as the last argument. */
  input?: (request: Ask<Id>) => object
  shown?: (answer: never) => unknown
  isKeyless?: true
}

/** The commands that write once, or read, by operation. */
const lines = {
  closeManifest: {
    words: ({ params }, no) => [
      ...['manifests', 'close', params.manifest_id, '--yes'],
      ...(no % 3 === 0 ? ['--max-missing', '2'] : []),
    ],
  },
  cancelFulfillment: { words: ({ params }) => ['fulfillments', 'cancel', params.fulfillment_id, '--yes'] },
  requestTransfer: {
    words: ({ body }) => ['transfers', 'request', ...body.qids, '--external-ref', `${body.external_ref}`],
  },
  cancelTransfer: { words: ({ params }) => ['transfers', 'cancel', params.transfer_id, '--yes'] },
  createProduct: {
    words: ({ body: { name, sku, dimensions, weight } }) => [
      ...['products', 'create', '--name', name, '--sku', sku],
      ...['--length', `${dimensions.length}`, '--width', `${dimensions.width}`],
      ...['--height', `${dimensions.height}`, '--dimension-unit', dimensions.unit],
      ...['--weight', `${weight.value}`, '--weight-unit', weight.unit],
    ],
  },
  createSubscription: {
    words: ({ body }) => ['webhooks', 'create', body.url, '--type', `${body.event_types}`],
  },
  updateSubscription: {
    words: ({ params, body }) => [
      ...['webhooks', 'update', params.subscription_id],
      ...(body.url === undefined
        ? [body.active ? '--activate' : '--deactivate']
        : ['--url', body.url, '--again']),
    ],
    isKeyless: true,
  },
  rotateSubscriptionSecret: {
    words: ({ params }, no) => [
      ...['webhooks', 'rotate-secret', params.subscription_id],
      ...(no % 3 === 0 ? [] : ['--yes']),
    ],
  },
  deleteSubscription: {
    words: ({ params }) => ['webhooks', 'rm', params.subscription_id, '--yes'],
    shown: () => undefined,
    isKeyless: true,
  },
  replaySubscription: {
    words: ({ params, body }) => [
      ...['webhooks', 'replay', params.subscription_id],
      ...(body.since == null ? ['--starting-after', `${body.starting_after}`] : ['--since', body.since]),
    ],
  },
  redeliver: {
    words: ({ params }) => ['webhooks', 'redeliver', params.subscription_id, params.delivery_id],
    shown: (answer) => [answer],
    isKeyless: true,
  },
  testSubscription: {
    words: ({ params }, no) => [
      ...['webhooks', 'test', params.subscription_id],
      ...(no % 2 === 0 ? ['--wait', '3s'] : []),
    ],
  },
  receiveManifest: {
    words: ({ params, body }) => ['sandbox', 'receive', params.manifest_id, '--outcome', `${body.outcome}`],
    shown: ({ intakes }: { intakes: unknown }) => intakes,
  },
  createIntakes: {
    // As the service, which receives slabs that are in custody.
    words: () => ['sandbox', 'intake', '--no-lint'],
    input: ({ body }) => body,
    shown: ({ intakes }: { intakes: unknown }) => intakes,
  },
  advanceItem: {
    words: ({ params, body }) => ['sandbox', 'advance', params.qid, '--to', body.to_status],
    shown: (answer) => [answer],
  },
  advanceFulfillment: {
    words: ({ params, body: { to_status, to_stage, issue } }) => [
      ...['sandbox', 'fulfillment', params.fulfillment_id],
      ...(to_stage ? ['--stage', to_stage] : ['--to', `${to_status}`]),
      ...(issue ? ['--issue', `${issue.code}: ${issue.message}`] : []),
    ],
  },
  resolveTransfer: {
    words: ({ params, body }) => ['sandbox', 'transfer', params.transfer_id, '--to', body.to_status],
  },
  advanceClock: { words: ({ body }) => ['sandbox', 'clock', '--advance', `${body.seconds}s`] },
  getItem: { words: ({ params }) => ['items', 'show', params.qid] },
  getItemSummary: { words: () => ['items', 'summary'] },
  getFulfillment: { words: ({ params }) => ['fulfillments', 'show', params.fulfillment_id] },
  getTransfer: { words: ({ params }) => ['transfers', 'show', params.transfer_id] },
  getManifest: { words: ({ params }) => ['manifests', 'show', params.manifest_id] },
  getManifestReport: {
    words: ({ params }, no) =>
      no % 2 === 0
        ? ['manifests', 'report', params.manifest_id]
        : ['manifests', 'close', params.manifest_id, '--preview'],
  },
  getProduct: { words: ({ params }) => ['products', 'show', params.product_id] },
  getSubscription: { words: ({ params }) => ['webhooks', 'show', params.subscription_id] },
} as const satisfies { [Id in OperationId]?: Line<Id> }

export type CommandKind = keyof typeof lines
export const commandKinds = Object.keys(lines) as CommandKind[]

export const lineOf = (id: CommandKind): Line<never> => lines[id] as unknown as Line<never>
