import { fulfillmentStatuses } from '../../../contract/enums.ts'
import { planCancel } from '../../../domain/fulfillments/fulfillment.ts'
import { findFulfillmentId } from '../../find/find-by-reference.ts'
import { cancelCommand } from '../../list/several.ts'
import { fulfillmentList, fulfillmentRecord } from '../../views/fulfillments.ts'

export const command = cancelCommand(
  {
    noun: 'fulfillment',
    record: fulfillmentRecord,
    list: fulfillmentList,
    find: findFulfillmentId,
    read: (client, fulfillment_id) => client.getFulfillment({ params: { fulfillment_id } }),
    cancel: (client, fulfillment_id, idempotencyKey) =>
      client.cancelFulfillment({ params: { fulfillment_id }, idempotencyKey }),
    rejectLate(fulfillment) {
      if (!fulfillmentStatuses.includes(fulfillment.status)) return
      planCancel({ ...fulfillment, has_shipped: false, interrupted_stage: null })
    },
  },
  {
    summary: 'Cancel fulfillments before they are picked',
    details: 'Their items become available again.',
    examples: ['fulfillments cancel WEB-20418', 'fulfillments cancel WEB-20418 WEB-20419 --yes'],
  },
)
