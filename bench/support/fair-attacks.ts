import { csvOf } from './csv-of.ts'
import { type Asked, ask } from './fair-requests.ts'
import { upload } from './fair-uploads.ts'

/** What a hostile key does for some seconds over many connections; each turn is one request, or a few. */
export type Attack = {
  title: string
  connections: number
  /** Runs before the attack; each turn receives its result. */
  prepare?: (origin: string, key: string) => Promise<string>
  turn: (given: { origin: string; key: string; prepared: string; at: number }) => Promise<void>
}

const megabytes = 20
const manifestLines = 49_000
const words = Array.from({ length: 400 }, (_, at) => `word${at}`)

export const attacks: Record<string, Attack> = {
  blank: {
    title: 'uploads of blank lines',
    connections: 25,
    turn: ({ at, ...target }) =>
      upload(target, '/manifests/csv', `PO-${at}`, csvOf(columns, []) + '\n'.repeat(megabytes << 20)),
  },
  rows: {
    title: 'uploads of good rows',
    connections: 16,
    turn: ({ at, ...target }) => upload(target, '/manifests/csv', `PO-${at}`, rows(manifestLines)),
  },
  numbers: {
    title: 'numbers of 32,700 digits',
    connections: 16,
    turn: ({ at, ...target }) => upload(target, '/manifests/csv', `PO-${at}`, longNumbers()),
  },
  answers: {
    title: 'answers of 20 MB, read',
    connections: 16,
    prepare: closedManifest,
    turn: (given) => ask({ ...closing(given) }),
  },
  unread: {
    title: 'answers of 20 MB, never read',
    connections: 40,
    prepare: closedManifest,
    turn: (given) => ask({ ...closing(given), isUnread: true }),
  },
  lines: {
    title: 'manifests of 49,000 lines',
    connections: 16,
    prepare: closedManifest,
    turn: ({ prepared, at, ...target }) =>
      ask({ ...target, path: `/manifests/${prepared}/report?page_size=5000&page=${1 + (at % 9)}` }),
  },
  waits: {
    title: 'readers that wait',
    connections: 400,
    turn: (target) => ask({ ...target, path: '/events', headers: { prefer: 'wait=30' } }),
  },
  arrivals: {
    title: 'fan-out to 100 subscriptions',
    connections: 4,
    turn: ({ at, ...target }) =>
      ask({ ...target, path: '/sandbox/intakes', body: { items: slabs(1000, at) } }),
  },
  replay: {
    title: 'replays of the log',
    connections: 6,
    prepare: firstSubscription,
    turn: ({ prepared, ...target }) =>
      ask({
        ...target,
        path: `/webhook-subscriptions/${prepared}/replay`,
        body: { since: '2020-01-01T00:00:00Z' },
      }),
  },
  searches: {
    title: 'broad searches',
    connections: 16,
    turn: ({ at, ...target }) =>
      ask({ ...target, path: `/items?page_size=250&search=${['a', 'e', 'psa', '1', 'card', 'o'][at % 6]}` }),
  },
  matching: {
    title: 'matching by long descriptions',
    connections: 4,
    prepare: wordyManifest,
    turn: ({ at, ...target }) =>
      ask({ ...target, path: '/sandbox/intakes', body: { items: slabs(3, at, phrase(at)) } }),
  },
}

const columns = 'external_ref,description,sku,grader,cert_number,quantity'

function rows(count: number): string {
  const text = (no: number): string => `2021 Evolving Skies number ${no} ${'x'.repeat(300)}`
  const lines = Array.from({ length: count }, (_, no) => [
    `R-${no}`,
    text(no),
    '',
    'PSA',
    30_000_000 + no,
    '',
  ])
  return csvOf(columns, lines)
}

function longNumbers(): string {
  const number = `${'1'.repeat(32_700)}x`
  const lines = Array.from({ length: 600 }, (_, no) => [`R-${no}`, `thing ${no}`, '', '', '', number])
  return csvOf(columns, lines)
}

function slabs(count: number, at: number, name = 'Charizard') {
  return Array.from({ length: count }, (_, no) => ({
    type: 'graded_slab',
    name,
    grader: 'PSA',
    grade: '9',
    cert_number: `${50_000_000 + at * count + no}`,
  }))
}

function phrase(seed: number): string {
  return Array.from({ length: 40 }, (_, at) => words[(seed * 31 + at * 7) % words.length]).join(' ')
}

/** A closed manifest and its stored result: a repeated request under the same key gets all of it. */
async function closedManifest(origin: string, key: string): Promise<string> {
  let answer = ''
  const onText = (text: string): void => {
    answer = text
  }
  await upload({ origin, key, onText } as Asked, '/manifests/csv', 'PO-LARGE', rows(manifestLines))
  const { id } = (JSON.parse(answer) as { manifest: { id: string } }).manifest
  await ask({ origin, key, path: `/manifests/${id}/close`, idempotencyKey: `close-${id}`, body: {} })
  return id
}

function closing({ origin, key, prepared }: { origin: string; key: string; prepared: string }): Asked {
  return { origin, key, path: `/manifests/${prepared}/close`, idempotencyKey: `close-${prepared}`, body: {} }
}

async function firstSubscription(origin: string, key: string): Promise<string> {
  let answer = ''
  await ask({ origin, key, path: '/webhook-subscriptions', onText: (text) => (answer = text) })
  return (JSON.parse(answer) as { results: Array<{ id: string }> }).results[0]!.id
}

async function wordyManifest(origin: string, key: string): Promise<string> {
  const lines = Array.from({ length: 2000 }, (_, at) => ({ description: `${phrase(at)} ${at}`, quantity: 1 }))
  await ask({ origin, key, path: '/manifests', body: { reference: 'PO-WORDS', lines } })
  return ''
}
