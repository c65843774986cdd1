import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { execa } from 'execa'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Difference, Statement } from '../../src/domain/items/log-state.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith, type RunOptions, root } from '../support/operator.ts'
import { copyToPostgres } from '../support/postgres-schema.ts'
import { servedBy } from '../support/served.ts'

const operator = forAllTests(operatorWith())
const served = forAllTests(servedBy(operator, { isOwn: true }))
beforeAll(async () => {
  await operator.run(['report', 'statement', '--out', 'now.json'])
})

const statementIn = (file: string) => JSON.parse(operator.read(file)) as Statement

/** Differences that a changed copy of the database shows, by its own log and by the partner's. */
async function checkedAfter(change: (db: DatabaseSync) => void): Promise<[string[], string[]]> {
  const copy = operator.path('changed.db')
  for (const file of [copy, `${copy}-wal`, `${copy}-shm`]) rmSync(file, { force: true })
  await operator.run(['db', 'backup', 'changed.db'])
  const db = new DatabaseSync(copy)
  change(db)
  db.close()
  const place = ['--database', 'changed.db']
  const ran = await operator.run(['db', 'check', '--statement', 'now.json', ...place, '--json'])
  const findings = JSON.parse(ran.stdout) as Array<{ table: string; key: string }>
  const verified = await operator.run(['statement', 'verify', 'now.json', ...place, '--json'])
  expect([ran.exitCode, verified.exitCode]).toEqual([9, 9])
  return [
    findings.filter(({ table }) => table === 'statement').map(({ key }) => key),
    (JSON.parse(verified.stdout) as Difference[]).map(({ fact }) => fact),
  ]
}

describe('statement of custody', () => {
  test('says that it agrees, that the log lacks its last event, or that it has no events', async () => {
    const stated = statementIn('now.json')
    const checked = await operator.run(['db', 'check', '--statement', 'now.json'])
    expect(checked.stderr).toContain(`now.json: all ${stated.events.count.toLocaleString('en')} events agree`)
    const strange = {
      ...stated,
      events: { ...stated.events, last_id: '019de2c4-2a80-7003-8000-00adcd038658' },
    }
    operator.write('strange.json', JSON.stringify(strange))
    const foreign = await operator.run(['statement', 'verify', 'strange.json'])
    expect([foreign.exitCode, foreign.stderr]).toEqual([
      9,
      expect.stringMatching(
        /The log does not contain the statement.* or were the data restored from an older backup\?/,
      ),
    ])
    const none = { count: 0, last_id: null, last_created_at: null, chain: '0'.repeat(64) }
    const empty = {
      ...stated,
      at: '2000-01-01T00:00:00.000Z',
      events: none,
      total: 0,
      by_status: {},
      items: [],
    }
    operator.write('empty.json', JSON.stringify(empty))
    const agreed = await operator.run(['statement', 'verify', 'empty.json'])
    expect([agreed.exitCode, agreed.stderr]).toEqual([0, expect.stringContaining('empty.json has no events')])
  })

  test('equals holdings and summary, is the same over HTTP, and verifies on all three sides', async () => {
    const statement = statementIn('now.json')
    const { by_status } = await operator.json<{ by_status: Record<string, number> }>(['items', 'summary'])
    const { delivered: _, released: __, withdrawn: ___, ...held } = by_status
    expect(statement.by_status).toEqual(
      Object.fromEntries(Object.entries(held).filter(([, count]) => count > 0)),
    )
    await operator.run(['report', 'statement', '--out', 'http.json'], served.overHttp)
    expect(operator.read('http.json')).toBe(operator.read('now.json'))
    await operator.run(['sync'], served.overHttp)
    for (const [args, options] of [
      [['statement', 'verify', 'now.json'], {}],
      [['statement', 'verify', 'now.json'], served.overHttp],
      [['statement', 'verify', 'now.json', '--mirror', 'custody-mirror.db'], {}],
      [['db', 'check', '--statement', 'now.json'], {}],
    ] as Array<[string[], RunOptions]>) {
      const ran = await operator.run(args, options)
      expect([ran.exitCode, ran.stdout], ran.stderr).toEqual([0, ''])
    }
  })

  test('is the same for the same data in PostgreSQL', async () => {
    const url = await copyToPostgres(operator)
    await operator.run(['report', 'statement', '--out', 'pg.json', '--database', url])
    expect(operator.read('pg.json')).toBe(operator.read('now.json'))
    expect((await operator.run(['db', 'check', '--statement', 'now.json', '--database', url])).exitCode).toBe(
      0,
    )
  })

  const middle = 'select cast(max(seq) / 2 as integer) from events'
  test.each([
    [
      'altered',
      `update events set payload = replace(payload, '"id"', '"id" ') where seq = (${middle})`,
      ['events.chain'],
    ],
    ['missing', `delete from events where seq = (${middle})`, ['events.count', 'events.chain']],
    [
      'repeated',
      `pragma ignore_check_constraints = on; update events set payload = (select payload from events where seq = (${middle})) where seq = (${middle}) + 1`,
      ['events.chain'],
    ],
  ])('changes with one %s event', async (_, change, facts) => {
    for (const found of await checkedAfter((db) => db.exec(change)))
      expect(found).toEqual(expect.arrayContaining(facts))
  })

  test.each([
    [
      'a total',
      (statement: Statement) => Object.assign(statement, { total: statement.total + 1 }),
      ['total'],
    ],
    ['its partner', (statement: Statement) => Object.assign(statement, { partner: 'Ridge' }), ['partner']],
    ['an item', (statement: Statement) => void statement.items.pop(), [expect.stringMatching(/^items\.Q/)]],
    [
      'a grade',
      ({ items: [item] }: Statement) => Object.assign(item as object, { grade: '11' }),
      [expect.stringMatching(/^items\.Q/)],
    ],
    [
      'the last event',
      ({ events, items }: Statement) => Object.assign(events, { last_id: items[0]?.qid }),
      ['events.last_id'],
    ],
  ])('a statement with %s changed does not agree', async (_, change, facts) => {
    const statement = statementIn('now.json')
    change(statement)
    operator.write('wrong.json', JSON.stringify(statement))
    const ran = await operator.run(['statement', 'verify', 'wrong.json', '--json'])
    const found = (JSON.parse(ran.stdout) as Difference[]).map(({ fact }) => fact)
    expect([ran.exitCode, found]).toEqual([9, facts])
  })

  test.each([
    ['later', '2099-01-01T00:00:00.000Z'],
    ['earlier', '2000-01-01T00:00:00.000Z'],
  ])('a statement of an earlier day that names a %s time disagrees with all three logs', async (_, at) => {
    const [, middle] = [...new Set(statementIn('now.json').items.map(({ intake_at }) => intake_at))].sort()
    await operator.run(['report', 'statement', '--at', middle!, '--out', 'past.json'])
    operator.write('wrong.json', JSON.stringify({ ...statementIn('past.json'), at }))
    await operator.run(['sync'], served.overHttp)
    const facts = async (args: string[], name: string, options: RunOptions = {}) => {
      const ran = await operator.run([...args, '--json'], options)
      const found = JSON.parse(ran.stdout) as Array<Record<string, string>>
      return [ran.exitCode, found.map((each) => each[name])]
    }
    expect(await facts(['statement', 'verify', 'wrong.json'], 'fact')).toEqual([9, ['at']])
    expect(await facts(['statement', 'verify', 'wrong.json'], 'fact', served.overHttp)).toEqual([9, ['at']])
    const byMirror = ['statement', 'verify', 'wrong.json', '--mirror', 'custody-mirror.db']
    expect(await facts(byMirror, 'fact')).toEqual([9, ['at']])
    expect(await facts(['db', 'check', '--statement', 'wrong.json'], 'key')).toEqual([9, ['at']])
  })

  test.each([
    ['last_event', /2099.*[ ,]20\d\d-/],
    ['', /2099.*not after 20\d\d-/],
  ])('a current statement that names a future time agrees with no log: as_of "%s"', async (as_of, why) => {
    const at = '2099-01-01T00:00:00.000Z'
    operator.write('wrong.json', JSON.stringify({ ...statementIn('now.json'), at, as_of }))
    for (const [args, options] of [
      [['statement', 'verify', 'wrong.json'], {}],
      [['statement', 'verify', 'wrong.json'], served.overHttp],
      [['db', 'check', '--statement', 'wrong.json'], {}],
    ] as Array<[string[], RunOptions]>) {
      const ran = await operator.run([...args, '--output', 'csv'], options)
      expect([ran.exitCode, ran.stdout]).toEqual([9, expect.stringMatching(why)])
    }
  })

  test('a current statement has the time of its last event, because more may be in progress', () => {
    const { at, as_of, events } = statementIn('now.json')
    expect([at, as_of]).toEqual([events.last_created_at, 'last_event'])
  })

  test('a statement of an earlier day lists what was held at its end, and later events change nothing', async () => {
    const { items } = statementIn('now.json')
    const day = items
      .map(({ intake_at }) => intake_at)
      .sort()
      [Math.floor(items.length / 2)]!.slice(0, 10)
    await operator.run(['report', 'statement', '--at', day, '--out', 'day.json'])
    const groups = await operator.json<Array<{ group: string; items: number }>>([
      'report',
      'holdings',
      '--at',
      day,
    ])
    expect(statementIn('day.json').total).toBe(groups.at(-1)?.items)
    expect((await operator.run(['statement', 'verify', 'day.json'])).exitCode).toBe(0)
  })

  test('follows from the recipe in docs/reports.md, with its chain and counts', async () => {
    const text = readFileSync(join(root, 'docs', 'reports.md'), 'utf8')
    const recipe = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines]) => lines).join('\n')
    await operator.run(['report', 'statement', '--out', 'october.json'])
    const log = await operator.run(['events', 'tail', '--from-start', '--output', 'ndjson'], served.overHttp)
    operator.write('events.ndjson', log.stdout)
    const script = recipe.replace(/^custody .*\n/m, '')
    const { stdout } = await execa('sh', ['-c', script], { cwd: operator.folder })
    const [chain, ownChain, lastTime, at, counts, ownCounts, ...others] = stdout.split('\n')
    expect([chain, lastTime, others]).toEqual([ownChain, at, []])
    expect(JSON.parse(counts!)).toEqual(JSON.parse(ownCounts!))
  }, 120_000)

  test('rejects a file that is not a statement, and an output that cannot be written', async () => {
    operator.write('other.json', '{"statement":"custody"}')
    expect((await operator.run(['statement', 'verify', 'other.json'])).exitCode).toBe(6)
    const ran = await operator.run(['report', 'statement', '--out', 'no/such/folder.json'])
    expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining('no/such/folder.json')])
  })
})
