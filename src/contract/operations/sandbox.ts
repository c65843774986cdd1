import type { Row } from '../operation.ts'
import { fulfillment, transfer } from '../resources/fulfillment.ts'
import {
  clock,
  clockAdvance,
  fulfillmentAdvance,
  intakesCreate,
  intakesCreated,
  openApi,
  receive,
  transferResolve,
} from '../resources/sandbox.ts'

const simulated = { extension: true, sandboxOnly: true } as const

export const sandboxOperations = {
  createIntakes: {
    method: 'POST',
    path: '/sandbox/intakes',
    body: intakesCreate,
    creates: true,
    response: intakesCreated,
    conflicts: true,
    ...simulated,
    summary: 'Simulate arrivals',
  },
  receiveManifest: {
    method: 'POST',
    path: '/sandbox/manifests/{manifest_id}/receive',
    body: receive,
    creates: true,
    response: intakesCreated,
    conflicts: true,
    ...simulated,
    summary: 'Simulate the arrival of a manifest',
  },
  advanceFulfillment: {
    method: 'POST',
    path: '/sandbox/fulfillments/{fulfillment_id}/advance',
    body: fulfillmentAdvance,
    response: fulfillment,
    ...simulated,
    summary: 'Move a fulfillment to a status or stage',
  },
  resolveTransfer: {
    method: 'POST',
    path: '/sandbox/transfers/{transfer_id}/resolve',
    body: transferResolve,
    response: transfer,
    conflicts: true,
    ...simulated,
    summary: 'Complete or decline a transfer',
  },
  getClock: {
    method: 'GET',
    path: '/sandbox/clock',
    response: clock,
    ...simulated,
    summary: 'Get the sandbox clock',
  },
  advanceClock: {
    method: 'POST',
    path: '/sandbox/clock/advance',
    body: clockAdvance,
    response: clock,
    ...simulated,
    summary: 'Move the sandbox clock forward',
  },
  getOpenApi: {
    method: 'GET',
    path: '/openapi.json',
    response: openApi,
    open: true,
    extension: true,
    summary: 'Get this OpenAPI document',
  },
} as const satisfies Record<string, Row>
