import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { execaNode } from 'execa'
import { inject } from 'vitest'
import { type Client, createClient } from '../../src/client/client.ts'
import type { Reply, Transport } from '../../src/contract/call.ts'
import type { Order, Place, Start, WritersOrder } from './fleet-protocol.ts'

/** Several service processes over one database. */
export type Fleet = {
  readonly size: number
  /** A client whose calls one process answers; rejects if the process dies. */
  client(process: number, key: string): Client
  transport(process: number): Transport
  /** Makes a process write by itself; returns the number of events committed. */
  write(process: number, order: Omit<WritersOrder, 'kind' | 'id'>): Promise<number>
  /** kill -9. */
  kill(process: number): Promise<void>
  /** Replaces a killed process with a new one. */
  replace(process: number): Promise<void>
  stop(): Promise<void>
}

type Member = { kill(): void; ask(order: Unnumbered): Promise<unknown>; gone: Promise<void> }
type Unnumbered = Order extends infer One ? (One extends Order ? Omit<One, 'id'> : never) : never

export async function startFleet(
  place: Place,
  size: number,
  options: { delivers?: boolean; speed?: number } = {},
): Promise<Fleet> {
  const start: Start = {
    place,
    delivers: options.delivers ?? false,
    speed: options.speed ?? 1,
    epoch: Date.now(),
  }
  const members = await Promise.all(Array.from({ length: size }, () => startMember(start)))
  const member = (process: number): Member => {
    const found = members[process % size]
    if (!found) throw new RangeError(`no process ${process}`)
    return found
  }
  const transport =
    (process: number): Transport =>
    async ({ body, signal: _, ...call }) =>
      (await member(process).ask({ kind: 'call', call, body: await body() })) as Reply
  return {
    size,
    transport,
    client: (process, key) =>
      createClient({
        transport: (call) => transport(process)({ ...call, headers: { ...call.headers, 'x-api-key': key } }),
        baseUrl: 'https://custody.test/v1',
        newIdempotencyKey: () => randomBytes(12).toString('hex'),
      }),
    write: async (process, order) => (await member(process).ask({ kind: 'writers', ...order })) as number,
    async kill(process) {
      member(process).kill()
      await member(process).gone
    },
    async replace(process) {
      members[process % size] = await startMember(start)
    },
    async stop() {
      for (const { kill } of members) kill()
      await Promise.all(members.map(({ gone }) => gone))
    },
  }
}

async function startMember(start: Start): Promise<Member> {
  const running = execaNode(join(inject('made'), 'fleet-worker.mjs'), {
    // None of vitest's own arguments.
    nodeOptions: [],
    stdio: ['ignore', 'inherit', 'inherit'],
    buffer: false,
    reject: false,
  })
  const asked = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  const child = running.nodeChildProcess
  const gone = running.then(() => {
    for (const { reject } of asked.values()) reject(new Error('the process is gone'))
    asked.clear()
  })
  child.send(start)
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    void gone.then(() => reject(new Error('the process did not start')))
  })
  child.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: string }) => {
    const waiting = asked.get(id)
    asked.delete(id)
    if (error === undefined) waiting?.resolve(result)
    else waiting?.reject(new Error(error))
  })
  const ask = (order: Unnumbered): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (!child.connected) return reject(new Error('the process is gone'))
      lastId += 1
      asked.set(lastId, { resolve, reject })
      child.send({ ...order, id: lastId }, (error) => error && reject(error))
    })
  return { kill: () => void running.kill('SIGKILL'), ask, gone }
}
