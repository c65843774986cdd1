import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { newOperator, type Operator } from '../support/operator.ts'

let operator: Operator

beforeEach(async () => {
  operator = await newOperator('none')
})
afterEach(() => operator.leave())

describe('the first command after the installation', () => {
  test('works: it makes the sandbox with sample data and says so in one line on stderr', async () => {
    const { exitCode, stdout, stderr } = await operator.run([
      'items',
      'ls',
      '--status',
      'available',
      '--json',
    ])
    const file = operator.path('data/custody/sandbox.db')
    expect(stderr).toBe(`Made a sandbox with sample data: ${file}\n25 of 121; --all for the rest\n`)
    expect((JSON.parse(stdout) as Item[]).map(({ status }) => status)).toEqual(Array(25).fill('available'))
    expect(exitCode).toBe(0)
    expect(readdirSync(operator.path('data/custody'))).toEqual(['sandbox.db'])
    const again = await operator.run(['items', 'ls', '--status', 'delivered'])
    expect(again.stderr).toBe('')
  })

  test('has a month of history: the sample manifests were not all submitted today', async () => {
    const { stdout } = await operator.run(['manifests', 'ls', '--columns', 'reference,status', '--no-header'])
    expect(stdout).toBe('BS-2031\tsubmitted\nPO-1043\treceiving\nPO-1042\treceiving\nPO-1041\treconciled\n')
    const days = (await operator.json<Array<{ created_at: string }>>(['manifests', 'ls'])).map(
      ({ created_at }) => created_at.slice(0, 10),
    )
    expect(new Set(days).size).toBe(4)
  })

  test('several at the same time make one sandbox', async () => {
    const all = await Promise.all([1, 2, 3].map(() => operator.run(['items', 'summary'])))
    expect(all.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(new Set(all.map(({ stdout }) => stdout)).size).toBe(1)
    expect(all.filter(({ stderr }) => stderr.startsWith('Made a sandbox')).length).toBe(1)
    expect(readdirSync(operator.path('data/custody'))).toEqual(['sandbox.db'])
  })

  test('CUSTODY_DATABASE and --database name another file; the flag goes first', async () => {
    const env = { CUSTODY_DATABASE: 'mine.db' }
    const first = await operator.run(['items', 'summary', '--no-seed'], { env })
    expect(first.stderr).toBe(`Made a sandbox without sample data: ${operator.path('mine.db')}\n`)
    expect(first.stdout).toContain('total\t0\n')
    const second = await operator.run(['items', 'summary', '--database', 'other.db'], { env })
    expect(second.stderr).toContain(operator.path('other.db'))
    expect(existsSync(operator.path('data'))).toBe(false)
  })

  test('options may stand before the command', async () => {
    const { stdout } = await operator.run([
      '--database',
      'mine.db',
      '--no-seed',
      'items',
      'summary',
      '--no-header',
    ])
    expect(stdout.split('\n').at(-2)).toBe('total\t0')
  })
})

describe('sandbox reset', () => {
  test('needs --yes without a terminal, and then makes the sandbox anew', async () => {
    await operator.run(['items', 'summary', '--no-seed'])
    const refused = await operator.run(['sandbox', 'reset'])
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain('--yes')
    const { exitCode } = await operator.run(['sandbox', 'reset', '--yes'])
    expect(exitCode).toBe(0)
    const { stdout } = await operator.run(['items', 'summary', '--no-header'])
    expect(stdout).toContain('total\t147\n')
  })

  test('refuses while another process has the database open', async () => {
    const tail = operator.start(['events', 'tail', '--follow'])
    await once(tail.stdout as Readable, 'data')
    const { exitCode, stderr } = await operator.run(['sandbox', 'reset', '--yes'])
    tail.kill('SIGTERM')
    await tail
    expect(stderr).toContain('is open in another process')
    expect(exitCode).toBe(5)
  })
})
