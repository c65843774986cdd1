import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { forEachTest } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forEachTest(operatorWith('none'))

describe('the first command after installation', () => {
  test('creates nothing without a terminal: it exits 2 and names the flags and the seed command; later it says which sandbox it uses', async () => {
    const list = ['items', 'ls', '--status', 'available', '--json']
    for (const args of [list, ['products', 'import', operator.fixture('catalog.csv')]]) {
      const { exitCode, stdout, stderr } = await operator.run(args)
      expect([exitCode, stdout]).toEqual([2, ''])
      for (const word of ['--profile', '--base-url', '--database', 'custody sandbox seed'])
        expect(stderr).toContain(word)
      expect(existsSync(operator.path('data'))).toBe(false)
    }
    const file = operator.path('data/custody/sandbox.db')
    const made = await operator.run(['sandbox', 'seed'])
    expect([made.exitCode, made.stderr.split('\n')[0]]).toEqual([
      0,
      `Created a sandbox with sample data: ${file}`,
    ])
    expect(readdirSync(operator.path('data/custody'))).toEqual(['sandbox.db'])
    const { exitCode, stdout, stderr } = await operator.run(list)
    expect([exitCode, stderr]).toEqual([
      0,
      `No target is named: using your sandbox, ${file}\n25 of 121; --all for the rest\n`,
    ])
    expect((JSON.parse(stdout) as Item[]).map(({ status }) => status)).toEqual(Array(25).fill('available'))
  })

  test('creates no database silently, even if it opens one itself, and names the one it uses', async () => {
    const commands = ['db migrate', 'serve --port 0', 'db backup copy.db', 'admin partners ls', 'db stats']
    const ship = 'warehouse ship none'
    for (const words of [...commands, ship]) {
      const { exitCode, stderr } = await operator.run(words.split(' '))
      expect([words, exitCode, stderr]).toEqual([words, 2, expect.stringContaining('No target is named')])
    }
    expect(existsSync(operator.path('data'))).toBe(false)
    await operator.run(['sandbox', 'reset', '--no-seed', '--yes'])
    const file = operator.path('data/custody/sandbox.db')
    const own = expect.stringContaining(`No target is named: using your sandbox, ${file}\n`)
    for (const words of ['db migrate', 'db backup copy.db', 'admin partners ls', ship]) {
      const { exitCode, stderr } = await operator.run(words.split(' '))
      expect([words, exitCode, stderr]).toEqual([words, words === ship ? 4 : 0, own])
    }
    const count = await operator.run(['warehouse', 'count', '--scan'])
    expect(count.stderr.match(/No target is named/g)).toHaveLength(1)
    const serve = async (...flags: string[]): Promise<string[]> => {
      const serving = operator.start(['serve', '--port', '0', ...flags])
      await once(serving.stdout as Readable, 'data')
      serving.kill('SIGTERM')
      const log = String((await serving).stderr)
        .trimEnd()
        .split('\n')
      return log.map((line) => JSON.parse(line).msg)
    }
    const words = ['ready', 'stopping', 'stopped']
    expect(await serve()).toEqual([`No target is named: using your sandbox, ${file}`, ...words])
    const typo = ['--database', 'typo.db']
    expect((await serve(...typo))[0]).toBe(
      'created a new database: if it should contain data, check its name',
    )
    expect(await serve(...typo)).toEqual(words)
  })

  test('rejects a database and a service or profile in variables together', async () => {
    for (const args of [
      ['db', 'stats'],
      ['serve', '--port', '0'],
      ['warehouse', 'ship', 'none'],
    ]) {
      for (const [name, value] of [
        ['CUSTODY_PROFILE', 'live'],
        ['CUSTODY_BASE_URL', 'http://127.0.0.1:9/v1'],
      ] as const) {
        const { exitCode, stderr } = await operator.run(args, {
          env: { CUSTODY_DATABASE: 'mine.db', [name]: value },
        })
        expect([exitCode, stderr]).toEqual([
          2,
          expect.stringMatching(`CUSTODY_DATABASE.* cannot be used together`),
        ])
      }
    }
  })

  test('creates the sandbox with sample data in a terminal, and says so', async () => {
    const preload = `--require "${root}/test/support/pretend-terminal.cjs"`
    const { exitCode, stderr } = await operator.run(['items', 'summary'], { env: { NODE_OPTIONS: preload } })
    const file = operator.path('data/custody/sandbox.db')
    // A long path is cut between words.
    expect([exitCode, stderr.replaceAll('\n', ' ')]).toEqual([
      0,
      expect.stringContaining(`Created a sandbox with sample data: ${file}`),
    ])
  })

  test("fills the sandbox with a month of history, not only today's", async () => {
    await operator.run(['sandbox', 'seed'])
    const { stdout } = await operator.run(['manifests', 'ls', '--columns', 'reference,status', '--no-header'])
    expect(stdout).toBe('BS-2031\tsubmitted\nPO-1043\treceiving\nPO-1042\treceiving\nPO-1041\treconciled\n')
    const days = (await operator.json<Array<{ created_at: string }>>(['manifests', 'ls'])).map(
      ({ created_at }) => created_at.slice(0, 10),
    )
    expect(new Set(days).size).toBe(4)
  })

  test('creates one sandbox even if several run at once', async () => {
    const all = await Promise.all([1, 2, 3].map(() => operator.real(['sandbox', 'seed'])))
    expect(all.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(all.filter(({ stderr }) => stderr.startsWith('Created a sandbox')).length).toBe(1)
    // Two connections that close at the same moment may each leave SQLite's log to the other.
    const left = readdirSync(operator.path('data/custody')).filter((name) => !/-(?:wal|shm)$/.test(name))
    expect(left).toEqual(['sandbox.db'])
  })

  test('uses another file with CUSTODY_DATABASE or --database; the flag wins', async () => {
    const env = { CUSTODY_DATABASE: 'mine.db' }
    const read = await operator.run(['items', 'summary', '--no-seed'], { env })
    expect([read.exitCode, existsSync(operator.path('mine.db'))]).toEqual([8, false])
    const first = await operator.run(['sandbox', 'reset', '--no-seed', '--yes'], { env })
    expect(first.stderr).toContain(`Created a sandbox without sample data: ${operator.path('mine.db')}\n`)
    const second = await operator.run(['items', 'summary', '--database', 'other.db'], { env })
    expect([second.exitCode, second.stderr]).toEqual([
      8,
      expect.stringMatching(
        /The database .*other\.db does not exist\. .*custody sandbox seed --database .*other\.db\n$/,
      ),
    ])
    const file = operator.fixture('buy-sheets/clean.csv')
    const third = await operator.run([
      'manifests',
      'submit',
      file,
      '--reference',
      'R',
      '--database',
      'other.db',
    ])
    expect(third.stderr).toContain(`Created a sandbox without sample data: ${operator.path('other.db')}\n`)
    expect(existsSync(operator.path('data'))).toBe(false)
  })
})

describe('sandbox reset', () => {
  test('needs --yes without a terminal, and then creates a new sandbox', async () => {
    await operator.run(['sandbox', 'reset', '--no-seed', '--yes'])
    const rejected = await operator.run(['sandbox', 'reset'])
    expect(rejected.exitCode).toBe(2)
    expect(rejected.stderr).toContain('--yes')
    const { exitCode } = await operator.run(['sandbox', 'reset', '--yes'])
    expect(exitCode).toBe(0)
    const { stdout } = await operator.run(['items', 'summary', '--no-header'])
    expect(stdout).toContain('total\t147\n')
  })

  test('is rejected while another process has the database open', async () => {
    await operator.run(['sandbox', 'seed'])
    const tail = operator.start(['events', 'tail', '--follow'])
    await once(tail.stdout as Readable, 'data')
    const { exitCode, stderr } = await operator.run(['sandbox', 'reset', '--yes'])
    tail.kill('SIGTERM')
    await tail
    expect(stderr).toContain('is open in another process')
    expect(exitCode).toBe(5)
  })
})
