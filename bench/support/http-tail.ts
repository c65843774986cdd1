import { join } from 'node:path'
import { type Client, createClient } from '../../src/client/client.ts'
import { createHttpTransport } from '../../src/client/http-transport.ts'
import { makePartner, program } from './http-program.ts'
import { median, ms, report } from './measure.ts'
import { serveOn } from './pinned.ts'

const writes = 200
const seenMaxMs = 20
/** Milliseconds after which a requested wait has certainly begun. */
const begunMs = 5

/** From a write to its event at a tail that waits on another connection, including the commit. */
export async function benchTail(folder: string): Promise<void> {
  const file = join(folder, 'tail.db')
  const key = await makePartner(file)
  const rate = ['--rate-limit', '900000:9000000']
  const served = await serveOn(0, [program, 'serve', '--database', file, '--port', '0', ...rate])
  try {
    const seen = await medianSeen(served.origin, key)
    report('write sent -> event seen by a tail', ms(seen), seen, seenMaxMs, ' ms')
  } finally {
    await served.stop()
  }
}

/** Median milliseconds from a write to its event at a tail of that service. */
export async function medianSeen(origin: string, key: string, tailOrigin = origin): Promise<number> {
  const client = clientOf(`${origin}/v1`, key)
  const tail = clientOf(`${tailOrigin}/v1`, key)
  const qid = await makeItem(client)
  const times: number[] = []
  for (let n = 0; n < writes; n++) times.push(await timeOne(client, tail, qid))
  return median(times)
}

/** Milliseconds from requesting a transfer to the answer that the tail waited for. */
async function timeOne(client: Client, tail: Client, qid: string): Promise<number> {
  const last = await lastEvent(client)
  const waiting = tail.listEvents({ query: { starting_after: last }, headers: { prefer: 'wait=30' } })
  await new Promise((resolve) => setTimeout(resolve, begunMs))
  const sent = performance.now()
  const requested = client.requestTransfer({ body: { qids: [qid] } })
  await waiting
  const seen = performance.now() - sent
  await client.cancelTransfer({ params: { transfer_id: (await requested).data.id } })
  return seen
}

async function lastEvent(client: Client): Promise<string | undefined> {
  let last: string | undefined
  for (;;) {
    const { data } = await client.listEvents({ query: { starting_after: last, page_size: 250 } })
    last = data.next_starting_after ?? last
    if (!data.has_more) return last
  }
}

function clientOf(baseUrl: string, key: string): Client {
  let keys = 0
  const started = performance.now()
  const newIdempotencyKey = (): string => {
    keys += 1
    return `tail-${started}-${keys}`
  }
  const transport = createHttpTransport({ apiKey: key, userAgent: 'bench' })
  return createClient({ transport, baseUrl, newIdempotencyKey })
}

async function makeItem(client: Client): Promise<string> {
  const slab = {
    type: 'graded_slab' as const,
    name: 'Charizard',
    grader: 'PSA',
    grade: '10',
    cert_number: '12345678',
  }
  const { data } = await client.createIntakes({ body: { items: [slab] } })
  const qid = data.intakes[0]?.qid ?? ''
  await client.advanceItem({ params: { qid }, body: { to_status: 'available' } })
  return qid
}
