import { fulfillmentTypes, type ProcessingStage, processingStages } from '../../src/contract/enums.ts'
import type { FulfillmentState } from '../../src/domain/fulfillments/fulfillment-states.ts'

/** A new fulfillment, with changes. */
export function fulfillmentIn(differing: Partial<FulfillmentState>): FulfillmentState {
  return {
    type: 'standard',
    status: 'pending',
    processing_stage: null,
    has_shipped: false,
    interrupted_stage: null,
    ...differing,
  }
}

const stages: Array<ProcessingStage | null> = [null, ...processingStages]

/** Every state of a fulfillment. */
export const everyFulfillmentState: FulfillmentState[] = fulfillmentTypes.flatMap((type) =>
  [
    fulfillmentIn({ status: 'pending' }),
    ...stages.map((processing_stage) => fulfillmentIn({ status: 'processing', processing_stage })),
    fulfillmentIn({ status: 'shipped', has_shipped: true }),
    fulfillmentIn({ status: 'delivered', has_shipped: true }),
    fulfillmentIn({ status: 'cancelled' }),
    ...stages.map((interrupted_stage) => fulfillmentIn({ status: 'exception', interrupted_stage })),
    fulfillmentIn({ status: 'exception', has_shipped: true }),
    fulfillmentIn({ status: 'returned', has_shipped: true }),
  ].map((state) => ({ ...state, type })),
)
