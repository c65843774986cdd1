import { type Client, createClient } from '../../src/client/client.ts'
import { NetworkError } from '../../src/client/network-error.ts'
import { retrying } from '../../src/client/retrying.ts'
import type { Call, Transport } from '../../src/contract/call.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import { sleep } from '../../src/runtime/runtime.ts'
import type { Process, Scheduler } from './scheduler.ts'
import type { ServiceProcess } from './service-process.ts'
import type { FaultRates } from './story.ts'

/** Addresses of the same service. */
export const baseUrls = ['https://custody.test/v1', 'https://custody.internal:8443/v1'] as const

/** A request on the wire, and how far it came; `begun` and `ended` count the steps of the run. */
export type Sent = {
  partner: number
  operation: OperationId | undefined
  trace: unknown
  isWaiting: boolean
  begun: number
  ended: number
  at: number
  /** Where it arrived, and the error of that machine's clock. */
  service: Process | undefined
  skewMs: number
  fate: 'under way' | 'request lost' | 'cut off' | 'answer lost' | 'answered'
  status: number | undefined
  isReplayed: boolean
}

/** The network between the partners' tools and the services. `hasBadLine`: it now loses every third request or answer. */
export type Network = {
  keys: string[]
  services: ServiceProcess[]
  scheduler: Scheduler
  sent: Sent[]
  hasBadLine: boolean
}

/** The typed client of a partner, with its own retries. */
export function clientOf(network: Network, partner: number, process: Process, rates: FaultRates): Client {
  const patient = retrying(transportOf(network, partner, process, rates), {
    maxWaitMs: 60_000,
  })
  return createClient({
    transport: patient,
    baseUrl: baseUrls[0],
    newIdempotencyKey: () => `key-${process.random.int(2 ** 50)}`,
  })
}

/** For requests, and for answers. */
const badLine = 0.4

/** To any of the services, through a network that loses requests and answers. */
export function transportOf(
  network: Network,
  partner: number,
  { random }: Process,
  rates: FaultRates,
): Transport {
  const isLost = (rate: number): boolean => random.is(network.hasBadLine ? badLine : rate)
  return async (call) => {
    const one = sentBy(network, partner, call)
    const { scheduler } = network
    const fail = (fate: Sent['fate'], fault: 'unreachable' | 'broken'): NetworkError => {
      Object.assign(one, { fate, ended: scheduler.steps })
      return new NetworkError(fault, 'lost on the way')
    }
    await sleep(random.int(5))
    if (isLost(rates.lostRequests)) throw fail('request lost', 'unreachable')
    const service = random.pick(network.services)
    const { process } = service
    if (!process.isAlive) throw fail('request lost', 'unreachable')
    Object.assign(one, { service: process, skewMs: process.skewMs })
    const headers = { 'x-api-key': network.keys[partner], ...call.headers }
    const reply = await service.call({ ...call, headers }).catch(() => {
      throw fail('cut off', 'broken')
    })
    const { status } = reply
    const isReplayed = reply.headers['idempotency-replayed'] === 'true'
    Object.assign(one, { status, isReplayed })
    if (isLost(rates.lostAnswers)) throw fail('answer lost', 'broken')
    Object.assign(one, { fate: 'answered', ended: scheduler.steps })
    return reply
  }
}

function sentBy({ sent, scheduler }: Network, partner: number, { operation, headers }: Call): Sent {
  const one: Sent = {
    partner,
    operation,
    trace: headers.traceparent,
    isWaiting: headers.prefer !== undefined,
    begun: scheduler.steps,
    ended: Number.POSITIVE_INFINITY,
    at: scheduler.now(),
    service: undefined,
    skewMs: 0,
    fate: 'under way',
    status: undefined,
    isReplayed: false,
  }
  sent.push(one)
  return one
}
