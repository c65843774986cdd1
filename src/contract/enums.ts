/** The closed vocabularies of the wire, exactly as the specification spells them (parts 2, 3, 6, 7). */

export const manifestSources = ['card_show', 'marketplace', 'distributor', 'other'] as const
export type ManifestSource = (typeof manifestSources)[number]

export const manifestStatuses = ['submitted', 'receiving', 'reconciled'] as const
export type ManifestStatus = (typeof manifestStatuses)[number]

export const lineStatuses = ['expected', 'matched', 'missing', 'condition_mismatch'] as const
export type LineStatus = (typeof lineStatuses)[number]

export const dimensionUnits = ['in', 'cm'] as const

export const weightUnits = ['oz', 'g'] as const

export const itemTypes = ['graded_slab', 'product'] as const

export const itemStatuses = [
  'received',
  'digitized',
  'available',
  'in_fulfillment',
  'in_transit',
  'delivered',
  'pending_transfer',
  'released',
  'withdrawn',
] as const
export type ItemStatus = (typeof itemStatuses)[number]

export const fulfillmentStatuses = [
  'pending',
  'processing',
  'shipped',
  'delivered',
  'cancelled',
  'exception',
  'returned',
] as const
export type FulfillmentStatus = (typeof fulfillmentStatuses)[number]

export const processingStages = ['picked', 'packed', 'verified', 'labeled', 'queued_for_carrier'] as const
export type ProcessingStage = (typeof processingStages)[number]

export const fulfillmentTypes = ['standard', 'withdrawal'] as const
export type FulfillmentType = (typeof fulfillmentTypes)[number]

export const transferStatuses = ['requested', 'completed', 'declined', 'cancelled'] as const
export type TransferStatus = (typeof transferStatuses)[number]

export const transferTypes = ['sell_back'] as const

export const imageVariants = ['front', 'back', 'label'] as const
export const imageFormats = ['webp', 'jpeg', 'png'] as const

/** Every type of event: the kind of its data, the status of its data in examples, and its meaning. */
export const webhookEvents = {
  'item.intake.completed': { data: 'intake', means: 'an item arrives and is received' },
  'item.status.changed': { data: 'item', means: 'the status of an item changes' },
  'fulfillment.status.changed': { data: 'fulfillment', means: 'a fulfillment is ordered or changes status' },
  'fulfillment.issue.raised': {
    data: 'fulfillment',
    status: 'exception',
    means: 'an issue blocks a fulfillment',
  },
  'manifest.reconciliation.completed': {
    data: 'reconciliation',
    means: 'a manifest is closed and its report is final',
  },
  'transfer.requested': { data: 'transfer', means: 'a transfer is requested' },
  'transfer.completed': { data: 'transfer', status: 'completed', means: 'a transfer is completed' },
  'transfer.declined': { data: 'transfer', status: 'declined', means: 'a transfer is declined' },
  'transfer.cancelled': { data: 'transfer', status: 'cancelled', means: 'a transfer is cancelled' },
  'fulfillment.returned': { data: 'fulfillment', status: 'returned', means: 'a fulfillment is returned' },
} as const
export type WebhookEventType = keyof typeof webhookEvents
export const webhookEventTypes = Object.keys(webhookEvents) as readonly WebhookEventType[]

export const deliveryStatuses = ['pending', 'delivered', 'dead'] as const

/** The stable v1 vocabulary (part 7), which does not include `internal_error` (decisions 3). */
export const errorCodes = [
  'validation_error',
  'state_conflict',
  'environment_mismatch',
  'unsupported_destination',
  'invalid_api_key',
  'not_found',
  'rate_limited',
] as const
export type ErrorCode = (typeof errorCodes)[number]

export const environments = ['sandbox', 'production'] as const
export type Environment = (typeof environments)[number]

/** `Custody-Repeats`: whether to skip or repeat orders and rows that an earlier request carried out (decisions 13). */
export const repeatsWords = ['skip', 'allow'] as const
export type Repeats = (typeof repeatsWords)[number]

/** How a row was matched to an earlier one. */
export const repeatedByWords = ['reference', 'content', 'sku'] as const

/** The field that matched an arrival to a line (decisions 6). */
export const matchKeys = ['cert_number', 'sku', 'description'] as const
export type MatchKey = (typeof matchKeys)[number]
