import type { Call, CallBody } from '../../src/contract/call.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'

/** Where the processes of a fleet find their database. */
export type Place = { file: string } | { url: string; schema: string }

export type Start = {
  place: Place
  /** Whether it delivers webhooks. */
  delivers: boolean
  /** How many times faster than real its clock runs, since `epoch`. */
  speed: number
  epoch: number
}

export type CallOrder = { kind: 'call'; id: number; call: Omit<Call, 'body' | 'signal'>; body: CallBody }

export type WritersOrder = {
  kind: 'writers'
  id: number
  scope: Scope
  works: number
  /** Events of one transaction. */
  eventsMost: number
  rollbackShare: number
  delayMsMost: number
  /** Makes its random choices repeatable. */
  seed: number
}

export type Order = CallOrder | WritersOrder
