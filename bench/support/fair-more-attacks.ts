import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { csvOf } from './csv-of.ts'
import type { Attack } from './fair-attacks.ts'
import { type Asked, ask } from './fair-requests.ts'
import { upload } from './fair-uploads.ts'

/** Attacks found after the first ones were fixed. */
export const moreAttacks: Record<string, Attack> = {
  wrong: {
    title: 'rows with ten faults each',
    connections: 8,
    turn: ({ at, ...target }) => upload(target, '/products/csv', `P-${at}`, wrongProducts(20_000)),
  },
  known: {
    title: 'products that are there already',
    connections: 8,
    turn: (target) => upload(target, '/products/csv', 'P', products(20_000)),
  },
  strangers: {
    title: 'orders of unknown items',
    connections: 8,
    turn: (target) => upload(target, '/fulfillments/csv', 'F', orders(20_000)),
  },
  receipts: {
    title: 'receipts of 10,000 units',
    connections: 4,
    turn: receipt,
  },
  clock: {
    title: 'a clock moved over due manifests',
    connections: 4,
    turn: movedClock,
  },
  closes: {
    title: 'large manifests that are closed',
    connections: 4,
    turn: closedAtOnce,
  },
  values: {
    title: 'bodies of 900,000 values',
    connections: 8,
    turn: (target) => ask({ ...target, path: '/fulfillments', body: { qids: Array(900_000).fill(1) } }),
  },
  names: {
    title: 'webhooks whose names do not resolve',
    connections: 16,
    turn: ({ at, ...target }) =>
      ask({
        ...target,
        path: '/webhook-subscriptions',
        body: { url: `https://no-${at}.example.net/`, event_types: ['item.intake.completed'] },
      }),
  },
  newcomers: {
    title: 'a connection for each request',
    connections: 64,
    turn: (target) => alone(target),
  },
  pipelines: {
    title: 'a hundred requests sent at once',
    connections: 16,
    turn: pipeline,
  },
  keyless: {
    title: '200 connections without a key',
    connections: 200,
    turn: (target) => keyless(target),
  },
  crowd: {
    title: '800 connections without a key',
    connections: 800,
    turn: (target) => keyless(target),
  },
  waiting: {
    title: '400 connections that wait at once',
    connections: 400,
    turn: ({ origin, key }) =>
      sendAtOnce(
        origin,
        `GET /v1/events HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nPrefer: wait=30\r\n\r\n`,
        60_000,
      ),
  },
  squeezed: {
    title: 'lists that are compressed',
    connections: 16,
    turn: ({ at, ...target }) =>
      ask({
        ...target,
        path: `/items?page_size=250&page=${1 + (at % 4)}`,
        headers: { 'accept-encoding': at % 2 ? 'gzip' : 'zstd' },
      }),
  },
}

function wrongProducts(count: number): string {
  const faulty = ['x', '', -1, -1, -1, 'stone', -1, 'parsec', 'nowhere']
  const columns = 'sku,name,length,width,height,dimension_unit,weight,weight_unit,image_url'
  return csvOf(columns, Array<typeof faulty>(count).fill(faulty))
}

function products(count: number): string {
  return csvOf(
    'sku,name',
    Array.from({ length: count }, (_, no) => [`KNOWN-${no}`, `Thing ${no}`]),
  )
}

function orders(count: number): string {
  const address = ['A B', '1 Main St', 'Portland', 'OR', '97201', 'US']
  return csvOf(
    'qid,external_ref,recipient_name,street,city,state,zip,country',
    Array.from({ length: count }, (_, no) => ['Q-CADJ-WKZT-QEZ1', `O-${no}`, ...address]),
  )
}

type Given = Pick<Asked, 'origin' | 'key'> & { at: number }

async function receipt({ at, ...target }: Given): Promise<void> {
  const id = await manifest(target, {
    reference: `R-${at}`,
    lines: [{ description: 'Card', quantity: 10_000 }],
  })
  await ask({ ...target, path: `/sandbox/manifests/${id}/receive`, body: { outcome: 'complete' } })
}

async function movedClock({ at, ...target }: Given): Promise<void> {
  const lines = Array.from({ length: 2000 }, (_, no) => ({ description: `Card ${no}`, quantity: 1 }))
  const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  await manifest(target, {
    reference: `C-${at}`,
    expected_arrival_start: day,
    expected_arrival_end: day,
    lines,
  })
  await ask({ ...target, path: '/sandbox/clock/advance', body: { seconds: 3600 } })
}

async function closedAtOnce({ at, ...target }: Given): Promise<void> {
  const lines = Array.from({ length: 20_000 }, (_, no) => ({ description: `Card ${no} of ${at}` }))
  const id = await manifest(target, { reference: `L-${at}`, lines })
  await ask({ ...target, path: `/manifests/${id}/close`, body: {} })
}

async function manifest(target: Pick<Asked, 'origin' | 'key'>, body: unknown): Promise<string> {
  let answer = '{}'
  await ask({ ...target, path: '/manifests', body, onText: (text) => (answer = text) })
  const { id = '' } = JSON.parse(answer || '{}') as { id?: string }
  return id
}

const newcomer = new Agent({ keepAlive: false })

function alone({ origin, key, at }: Given): Promise<void> {
  return new Promise((resolve) => {
    const made = request(`${origin}/v1/items?page=${at}`, { agent: newcomer, headers: { 'x-api-key': key } })
    made.on('response', (response) => response.resume().on('close', resolve))
    made.on('error', () => resolve())
    made.end()
  })
}

function pipeline({ origin, key }: Given): Promise<void> {
  const one = `GET /v1/events?page_size=100 HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n\r\n`
  return sendAtOnce(origin, one.repeat(100), 1000)
}

function keyless({ origin }: Pick<Given, 'origin'>): Promise<void> {
  return sendAtOnce(origin, 'GET /v1/items HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(90), 1000)
}

/** On its own connection, which gives up if nothing arrives for `idleMs`. */
function sendAtOnce(origin: string, text: string, idleMs: number): Promise<void> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', () => {})
    socket.setTimeout(idleMs, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}
