/** The warehouse's side: what the sandbox operations and the warehouse commands do (architecture). */

export {
  attachImagery,
  deliverFulfillment,
  labelFulfillment,
  packFulfillment,
  pickFulfillment,
  queueFulfillment,
  raiseIssue,
  resolveIssue,
  returnFulfillment,
  settleTransfer,
  shipFulfillment,
  storeItem,
  verifyFulfillment,
} from './fulfillments/warehouse-shipping.ts'
export { intakeArrivals } from './intake/warehouse-intake.ts'
