import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { canonicalQid } from '../../src/domain/items/qid.ts'
import { seededRandom } from '../../src/testing/seeded-random.ts'
import { forAllTests } from '../support/each.ts'
import { expectEqualToService, readMirror, rowsOfMirror, tablesOfMirror } from '../support/mirror-rows.ts'
import { operatorWith, root } from '../support/operator.ts'
import { serve, servedBy } from '../support/served.ts'
import { scale, seed } from '../support/soak.ts'

const operator = forAllTests(operatorWith())
const served = forAllTests(servedBy(operator, { isOwn: true, flags: ['--rate-limit', 'off'] }))

type Row = Record<string, unknown>
const tablesOf = (file: string) => tablesOfMirror(operator.path(file))
const rowsOf = (file: string) => rowsOfMirror(operator.path(file))

describe('custody sync', () => {
  test("copies the service's data row by row, and a run without news makes at most 2 requests", async () => {
    const first = await operator.run(['sync'], served.overHttp)
    expect([first.exitCode, first.stdout]).toEqual([
      0,
      expect.stringMatching(/^custody-mirror\.db: \d+ events, \d+ of them new\n$/),
    ])
    await expectEqualToService(operator, 'custody-mirror.db')
    const again = await operator.run(['sync', '--debug'], served.overHttp)
    expect(again.stdout).toContain('no new ones')
    expect(again.stderr.match(/^> GET /gm)?.length).toBeLessThanOrEqual(2)
    await operator.run([
      'sandbox',
      'advance',
      (await operator.look<Item[]>(['items', 'ls', '--status', 'received', '--limit', '1']))[0]!.qid,
      '--to',
      'available',
    ])
    expect((await operator.run(['sync'], served.overHttp)).exitCode).toBe(0)
    await expectEqualToService(operator, 'custody-mirror.db')
  })

  test(`is equal row by row after kill -9 at any point (seed ${seed})`, async () => {
    const items = Array.from({ length: scale(2000, 4000) }, (_, at) => ({
      ...{ type: 'graded_slab', name: `Card ${at}`, grader: 'PSA', grade: '9' },
      cert_number: String(30_000_000 + at),
    }))
    operator.write('intakes.json', JSON.stringify({ items }))
    expect(
      (await operator.run(['api', 'POST', '/sandbox/intakes', '--input', 'intakes.json'])).exitCode,
    ).toBe(0)
    const random = seededRandom(seed)
    const file = 'killed.db'
    let kills = 0
    for (let run = 0; run < scale(8, 25); run++) {
      const before = existsSync(operator.path(file)) ? countIn(file) : 0
      const process = operator.start(['sync', file], served.overHttp)
      const pages = (random(1)[0] ?? 0) % scale(3, 4)
      const isThere = () => existsSync(operator.path(file)) && countIn(file) >= before + pages * 250
      const isOver = () => process.nodeChildProcess.exitCode !== null
      await vi.waitUntil(() => isOver() || isThere(), { timeout: 60_000, interval: 5 })
      process.kill('SIGKILL')
      const { signal } = await process
      if (signal === 'SIGKILL') kills += 1
    }
    expect(kills).toBeGreaterThan(3)
    expect((await operator.run(['sync', file], served.overHttp)).exitCode).toBe(0)
    await operator.run(['sync', 'whole.db'], served.overHttp)
    expect(rowsOf(file)).toEqual(rowsOf('whole.db'))
    await expectEqualToService(operator, file)
  }, 240_000)

  test('rejects the mirror of another target, a foreign database, and a log that was reset', async () => {
    await operator.run(['sync', 'mine.db'])
    const other = await operator.run(['sync', 'mine.db'], served.overHttp)
    expect([other.exitCode, other.stderr]).toEqual([
      6,
      expect.stringMatching(
        /mine\.db is the mirror of another target\. Nothing was changed: name another file\.$/m,
      ),
    ])
    const foreign = new DatabaseSync(operator.path('foreign.db'))
    foreign.exec('create table t (a)')
    foreign.close()
    const rejected = await operator.run(['sync', 'foreign.db'])
    expect([rejected.exitCode, rejected.stderr]).toEqual([
      6,
      expect.stringContaining('not a mirror made by custody'),
    ])
    const mine = new DatabaseSync(operator.path('mine.db'))
    mine.exec("update custody_mirror set after = '019de2c4-2a80-7003-8000-00adcd038658'")
    mine.close()
    const reset = await operator.run(['sync', 'mine.db'])
    expect([reset.exitCode, reset.stderr]).toEqual([
      5,
      expect.stringContaining('delete mine.db and run custody sync again'),
    ])
    rmSync(operator.path('mine.db'))
    expect((await operator.run(['sync', 'mine.db'])).exitCode).toBe(0)
  })

  test('continues a copy that names its partner, as some builds before version 22 of the schema wrote it', async () => {
    expect((await operator.run(['sync', 'named.db'], served.overHttp)).exitCode).toBe(0)
    const named = new DatabaseSync(operator.path('named.db'))
    named.exec("update custody_mirror set target = target || ' Shore, sandbox'")
    named.close()
    const { exitCode, stdout } = await operator.run(['sync', 'named.db'], served.overHttp)
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('no new ones')])
  })

  test("is not changed by another partner's key", async () => {
    const partners = await serve(operator, { isOwn: true, flags: ['--rate-limit', 'off'] })
    try {
      const keyOf = async (name: string) => {
        await operator.run(['admin', 'partners', 'create', name])
        const made = await operator.run([
          'admin',
          'keys',
          'create',
          name,
          '--environment',
          'sandbox',
          '--json',
        ])
        return (JSON.parse(made.stdout) as { key: string }).key
      }
      const [one, other] = [await keyOf('Ridge'), await keyOf('Vale')]
      for (const [cert_number, partner] of [
        ['70000001', 'Ridge'],
        ['70000002', 'Vale'],
      ] as const) {
        operator.write('mew.csv', `name,grader,grade,cert_number\nMew,PSA,9,${cert_number}\n`)
        const place = ['--partner', partner, '--environment', 'sandbox']
        expect((await operator.run(['warehouse', 'intake', 'mew.csv', ...place])).exitCode).toBe(0)
      }
      const sync = (key: string) =>
        operator.run(['sync', 'ridge.db'], {
          env: { ...partners.env, CUSTODY_DATABASE: '', CUSTODY_API_KEY: key },
        })
      expect((await sync(one)).exitCode).toBe(0)
      const before = rowsOf('ridge.db')
      const { exitCode, stderr } = await sync(other)
      expect([exitCode, stderr]).toEqual([
        5,
        expect.stringContaining('If the key belongs to another partner, name another file.'),
      ])
      expect(rowsOf('ridge.db')).toEqual(before)
      expect((await sync(one)).exitCode).toBe(0)
    } finally {
      await partners.stop()
    }
  }, 60_000)

  test('docs/mirror.md lists every table with its columns in order', () => {
    const text = readFileSync(join(root, 'docs', 'mirror.md'), 'utf8')
    const listed = [...text.matchAll(/^\| `(\w+)` \|[^|]*\|(.*)\|$/gm)].map(([, name, columns = '']) => [
      name,
      [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => column),
    ])
    expect(Object.fromEntries(listed)).toEqual(tablesOf('custody-mirror.db'))
    const [qid = ''] = /(?<=qid'\) = ')[^']+/.exec(text) ?? []
    expect(canonicalQid(qid)).toBe(qid)
  })
})

describe('custody sql', () => {
  const sql = (...args: string[]) => operator.run(['sql', ...args])

  test('prints the rows of a query in every format', async () => {
    await operator.run(['sync'], served.overHttp)
    const query = 'select status, count(*) as "how many" from items group by status order by 1'
    const { by_status } = await operator.look<{ by_status: Row }>(['items', 'summary'])
    const expected = Object.entries(by_status)
      .filter(([, count]) => count !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    const rows = JSON.parse((await sql(query, '--json')).stdout) as Row[]
    expect(rows.map((row) => Object.values(row))).toEqual(expected)
    const tables = JSON.parse((await sql('pragma table_info(items)', '--json')).stdout) as Row[]
    expect(tables.map(({ name }) => name)).toContain('qid')
    expect((await sql(query, '--output', 'csv')).stdout.split('\n')[0]).toBe('status,how many')
  })

  test.each([
    ['a wrong query', ['select * from nowhere'], 2, 'no such table: nowhere'],
    ['a change', ['delete from items'], 2, 'a mirror is read-only'],
    ['an empty query', [''], 2, 'The query is empty'],
    ['a comment alone', ['/* nothing */ ;'], 2, 'The query is empty'],
    ['a pragma that changes the file', ['/* a */ ; pragma journal_mode=delete'], 2, 'a mirror is read-only'],
    ['an attached file', ["attach 'other.db' as other"], 2, 'a mirror is read-only'],
    ['an integer that would be rounded', ['select 9007199254740993'], 2, 'cast(… as text)'],
    ['two queries', ['select 1; delete from items'], 2, 'Give one query at a time'],
    [
      'a change in a query',
      ['with t as (select 1) delete from items returning qid'],
      2,
      'a mirror is read-only',
    ],
    ['a query that is read as an option', ['-- all\nselect 1'], 2, 'Write -- before it: custody sql --'],
    ['a missing file', ['select 1', '--mirror', 'none.db'], 4, 'custody sync none.db'],
  ])('rejects %s', async (_, args, exitCode, text) => {
    const before = rowsOf('custody-mirror.db')
    const ran = await sql(...args)
    expect([ran.exitCode, ran.stderr]).toEqual([exitCode, expect.stringContaining(text)])
    expect(rowsOf('custody-mirror.db')).toEqual(before)
  })

  test.each(['nowhere/m.db', '/proc/m.db'])(
    'names %s if its folder is missing or cannot be written',
    async (file) => {
      const ran = await operator.run(['sync', file])
      const message = `Cannot open ${file}: its folder is missing or cannot be written.`
      expect([ran.exitCode, ran.stderr]).toEqual([8, expect.stringContaining(message)])
      expect(ran.stderr).not.toContain('Create it with')
    },
  )
})

/** Number of events in a mirror; 0 before it exists. */
function countIn(file: string): number {
  try {
    return readMirror(operator.path(file), (all) =>
      Number(all('select events from custody_mirror')[0]?.events ?? 0),
    )
  } catch {
    return 0
  }
}
