/** The warehouse's side: what the sandbox operations and the warehouse commands do (architecture). */
export { intakeArrivals } from './warehouse-intake.ts'
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
} from './warehouse-shipping.ts'
