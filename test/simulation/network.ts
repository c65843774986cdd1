import { type Client, createClient } from '../../src/client/client.ts'
import { NetworkError } from '../../src/client/network-error.ts'
import { retrying } from '../../src/client/retrying.ts'
import type { Transport } from '../../src/contract/call.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { sleep } from '../../src/runtime/waiting.ts'
import type { Process } from './scheduler.ts'
import type { ServiceProcess } from './service-process.ts'
import type { FaultRates } from './story.ts'

/** Addresses of the same service. */
export const baseUrls = ['https://custody.test/v1', 'https://custody.internal:8443/v1'] as const

/** What lies between the partners' tools and the services; `requests` counts those that were made. */
export type Network = { keys: string[]; services: ServiceProcess[]; requests: number }

/** The typed client of a partner, with its own retrying. */
export function clientOf(network: Network, partner: number, process: Process, rates: FaultRates): Client {
  const { chance, uptime, clock } = runtime
  const patient = retrying(transportOf(network, partner, process, rates), {
    maxWaitMs: 60_000,
    now: uptime,
    clock,
    sleep,
    random: chance,
  })
  return createClient({
    transport: patient,
    baseUrl: baseUrls[0],
    newIdempotencyKey: () => `key-${process.random.int(2 ** 50)}`,
  })
}

/** To any of the services, by a network that loses requests and answers. */
export function transportOf(
  network: Network,
  partner: number,
  { random }: Process,
  rates: FaultRates,
): Transport {
  const lost = (fault: 'unreachable' | 'broken'): NetworkError => new NetworkError(fault, 'lost on the way')
  return async (call) => {
    network.requests += 1
    await sleep(random.int(5))
    if (random.is(rates.lostRequests)) throw lost('unreachable')
    const service = random.pick(network.services)
    if (!service.process.isAlive) throw lost('unreachable')
    const headers = { 'x-api-key': network.keys[partner], ...call.headers }
    const reply = await service.call({ ...call, headers }).catch(() => {
      throw lost('broken')
    })
    if (random.is(rates.lostAnswers)) throw lost('broken')
    return reply
  }
}
