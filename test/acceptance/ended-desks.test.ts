import { once } from 'node:events'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { newOperator, type Operator, root } from '../support/operator.ts'
import { copyToPostgres, makeSchema } from '../support/postgres-schema.ts'

let operator: Operator

beforeAll(async () => {
  operator = await newOperator('empty')
  const size = '--length 1 --width 1 --height 1 --dimension-unit in --weight 1 --weight-unit oz'.split(' ')
  await operator.here(['products', 'create', '--name', 'Box', '--sku', 'BOX-1', ...size])
  const slabs = ['30000001', '30000002', '30000003']
  const lines = slabs.map((cert_number) => ({ description: 'Slab', grader: 'PSA', cert_number }))
  await operator.here(['manifests', 'submit', '-'], { input: JSON.stringify({ reference: 'PO-9', lines }) })
  await operator.here(['warehouse', 'receive', '--scan'], { input: 'BOX-1\n'.repeat(4) })
})
afterAll(() => operator.leave())

test('receive books the last scan, says where it ended, and exits 8 if nobody reads its answers', async () => {
  const scanning = operator.start(['warehouse', 'receive', '--scan'], { buffer: false })
  const ended = text(scanning.stderr!)
  scanning.stdin!.write('BOX-1\n')
  await once(scanning.stdout!, 'data')
  scanning.stdout!.destroy()
  scanning.stdin!.end('BOX-1\nBOX-1\n')
  const { exitCode } = await scanning
  expect([exitCode, await ended]).toEqual([
    8,
    expect.stringMatching(
      /\n2 items received\ncustody warehouse receive: The program that reads the answers has exited. The last code read is BOX-1.\n$/,
    ),
  ])
})

const NODE_OPTIONS = `--require "${join(root, 'test', 'support', 'pretend-terminal.cjs')}"`

test.each<[NodeJS.Signals, Record<string, string>]>([
  ['SIGINT', {}],
  ['SIGTERM', {}],
  ['SIGHUP', { NODE_OPTIONS }],
])(
  'receive books what it answered and ends at once on %s, although its input stays open',
  async (signal, env) => {
    const scanning = operator.start(['warehouse', 'receive', '--scan'], {
      buffer: false,
      timeout: 20_000,
      env,
    })
    const ended = text(scanning.stderr!)
    scanning.stdin!.write('BOX-1\n')
    await once(scanning.stdout!, 'data')
    scanning.kill(signal)
    const { exitCode, timedOut } = await scanning
    expect([exitCode, timedOut, await ended]).toEqual([
      130,
      false,
      expect.stringMatching(/\n1 item received\n$/),
    ])
  },
)

test('picks names the orders that are not picked if it cannot read its database', async () => {
  const items = await operator.look<Item[]>(['items', 'ls'])
  const qids = items.map(({ qid }) => qid).slice(0, 2)
  for (const step of ['digitize', 'store']) await operator.here(['warehouse', step, ...qids])
  const address = '--recipient-name A --street B --city C --state TX --zip 78701 --country US'.split(' ')
  const parcel = qids.flatMap((qid) => ['--qid', qid])
  await operator.here(['fulfillments', 'create', ...parcel, '--external-ref', 'SO-1', ...address])
  const ended = await losing('picks', qids)
  expect(ended).toEqual({
    code: 8,
    stderr: expect.stringMatching(
      `\nSO-1 is not picked: ${qids[1]} not scanned\n0 orders picked, 1 left\ncustody`,
    ),
  })
})

test('count saves the codes if it cannot compare them', async () => {
  const { code, stderr } = await losing('count', ['BOX-1', 'BOX-2'])
  const saved = /^2 codes saved: custody warehouse count --scan < (count-\S*\.txt)\ncustody/.exec(stderr)
  expect([code, operator.read(saved?.[1] ?? stderr)]).toEqual([8, 'BOX-1\nBOX-2\n'])
})

/** The copy of the database is deleted when the first code has been answered. */
async function losing(desk: string, [first, ...rest]: readonly string[]) {
  const database = operator.path(`${desk}.db`)
  copyFileSync(operator.database, database)
  const running = operator.start(['warehouse', desk, '--scan', '--database', database], { buffer: false })
  const ended = text(running.stderr!)
  running.stdin!.write(`${first}\n`)
  await once(running.stdout!, 'data')
  rmSync(database)
  running.stdin!.end(`${rest.join('\n')}\n`)
  return { code: (await running).exitCode, stderr: await ended }
}

test('a question ends with Ctrl-D, also while a connection is open', async () => {
  const url = new URL(inject('postgresUrl'))
  url.searchParams.set('options', `-c search_path=${await makeSchema()}`)
  const place = ['--database', url.href]
  await operator.here(['db', 'migrate', ...place])
  await operator.here(['admin', 'partners', 'create', 'North', ...place])
  await operator.here(['admin', 'keys', 'create', 'North', '--environment', 'sandbox', ...place])
  const asking = operator.start(['warehouse', 'return', 'SO-1', ...place], {
    buffer: false,
    timeout: 20_000,
    env: { NODE_OPTIONS },
  })
  let shown = ''
  for await (const part of asking.stderr!) {
    shown += part
    if (String(part).includes('again?')) asking.stdin!.write('\u0004')
    if (String(part).includes('nothing was changed.')) asking.stdin!.end()
  }
  const { exitCode, timedOut } = await asking
  expect([exitCode, timedOut, shown]).toEqual([130, false, expect.stringContaining('nothing was changed.')])
})

test('receive names its last scan if a second signal ends it while its database does not answer', async () => {
  const url = await copyToPostgres(operator)
  const scanning = operator.start(['warehouse', 'receive', '--scan', '--database', url], { buffer: false })
  const ended = text(scanning.stderr!)
  scanning.stdin!.write('BOX-1\n')
  await once(scanning.stdout!, 'data')
  const db = await openPostgres(url, { poolSize: 1 })
  await db.pool.query('begin; lock table scopes in access exclusive mode')
  scanning.kill('SIGINT')
  scanning.kill('SIGTERM')
  const { exitCode } = await scanning
  await db.close()
  expect([exitCode, await ended]).toEqual([
    130,
    expect.stringContaining('\nPerhaps not received, see custody intakes ls: BOX-1\n'),
  ])
})

test('receive names what it answered but could not receive if its database file is deleted', async () => {
  const scanning = operator.start(['warehouse', 'receive', 'PO-9', '--scan'], {
    buffer: false,
    timeout: 20_000,
  })
  const ended = text(scanning.stderr!)
  await once(scanning.stdout!, 'data')
  scanning.stdin!.write('30000001 9\n')
  await once(scanning.stdout!, 'data')
  rmSync(operator.database)
  scanning.stdin!.write('30000003 9\n')
  const { exitCode, timedOut } = await scanning
  expect([exitCode, timedOut, await ended]).toEqual([
    8,
    false,
    expect.stringMatching(
      /\n0 items received\nNot received, scan again: 30000001, 30000003 9\ncustody warehouse receive: .* was replaced or deleted while it was in use/,
    ),
  ])
})
