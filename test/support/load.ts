import { type Client, ServiceError } from '../../src/client/client.ts'
import type { Fleet } from './fleet.ts'
import { slab } from './manifests.ts'

/** An acknowledged write: its key and the bytes of the answer. */
export type Acknowledged = { key: string; cert: string; text: string }

/** The load of clients while processes and databases die. */
export type Load = {
  acknowledged: Acknowledged[]
  /** How often a call had to be sent again. */
  repeated(): number
  /** Lets every client finish what it began. */
  stop(): Promise<void>
}

/**
 * Clients that send arrivals one after the other, each through any process. A call without an answer, or answered with 503, is
 * sent again under its key until it is answered, as a client should (part 4). Any other answer fails the load.
 */
export function startLoad(fleet: Fleet, apiKey: string, clients: number, chance: () => number): Load {
  const acknowledged: Acknowledged[] = []
  let repeated = 0
  let isStopped = false
  const work = async (number: number): Promise<void> => {
    for (let i = 0; !isStopped; i++) {
      const key = `load ${number} ${i}`
      const cert = `${10_000_000 + number * 1_000_000 + i}`
      const client = (): Client => fleet.client(Math.floor(chance() * fleet.size), apiKey)
      const text = await persist(
        () => receiveArrivals(client(), cert, key),
        () => (repeated += 1),
      )
      acknowledged.push({ key, cert, text })
    }
  }
  const all = Promise.all(Array.from({ length: clients }, (_, number) => work(number)))
  // Thrown by stop(); until then a failure must not end the process.
  all.catch(() => {})
  return {
    acknowledged,
    repeated: () => repeated,
    async stop() {
      isStopped = true
      await all
    },
  }
}

/** Sends an acknowledged write again. */
export async function sendAgain(client: Client, { key, cert }: Acknowledged) {
  const body = { items: [slab(cert)] }
  return client.createIntakes({ body, idempotencyKey: key })
}

/** Repeats the call until there is an answer, for a minute at most. */
export async function persist<T>(ask: () => Promise<T>, onRepeat: () => void = () => {}): Promise<T> {
  const deadline = Date.now() + 60_000
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const isFinal = error instanceof ServiceError && error.status !== 503
      if (isFinal || Date.now() > deadline) throw error
      onRepeat()
      await pause(10)
    }
  }
}

/** Waits until a condition is true; the error says which one was not. */
export async function eventually(
  what: string,
  isTrue: () => Promise<boolean>,
  withinMs: number,
): Promise<number> {
  const started = Date.now()
  while (!(await isTrue())) {
    if (Date.now() - started > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`)
    await pause(20)
  }
  return Date.now() - started
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

async function receiveArrivals(client: Client, cert: string, idempotencyKey: string): Promise<string> {
  return (await client.createIntakes({ body: { items: [slab(cert)] }, idempotencyKey })).text
}
