import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { InventoryLevel, Item } from '../../src/contract/resources/item.ts'
import type { ManifestReport } from '../../src/contract/resources/manifest.ts'
import { cliUser, forAllTests } from '../support/each.ts'

const user = forAllTests(cliUser)
beforeAll(async () => {
  await user.run(['sandbox', 'seed', '--database', 'sandbox.db'])
  await user.run(['init', '--database', 'sandbox.db', '--name', 'own'])
})

async function json<T>(...args: string[]): Promise<T> {
  return JSON.parse((await user.run([...args, '--json'])).out) as T
}

test('transfers request names its target', async () => {
  const [item] = await json<Item[]>('items', 'ls', '--status', 'available', '--limit', '1')
  const { code, err } = await user.run(['transfers', 'request', item?.qid ?? ''])
  expect([code, err]).toEqual([
    0,
    expect.stringMatching(/^Writing to sandbox: embedded database .*sandbox\.db\n$/),
  ])
})

test('a notice cuts a name of 64 KiB', async () => {
  const url = `https://${'n'.repeat(65_536)}.example/`
  const tail = ['events', 'tail', '--forward-to', url, '--on-failure', 'skip', '--limit', '1', '--no-input']
  const { err } = await user.run([...tail, '--print-secret', '--database', 'sandbox.db'])
  expect(err).toMatch(/failed: .*nnn\.\.\. /)
  expect(err.length).toBeLessThan(2_000)
})

test('--debug shows bodies without secrets', async () => {
  const create = ['webhooks', 'create', 'https://hooks.example.com/debug', '--json', '--debug']
  const { code, out, err } = await user.run(create)
  const { id, secret } = JSON.parse(out) as { id: string; secret: string }
  expect([code, secret]).toEqual([0, expect.stringMatching(/^whsec_/)])
  expect(err).toContain(`"id":"${id}"`)
  expect(err).toContain('"secret":"[hidden]"')
  expect(err).not.toContain(secret)
})

test('the inventory bar shows what is available, then what is allocated', async () => {
  const { out } = await user.run(['inventory', 'ls', '--all'], { terminal: 200, env: { NO_COLOR: '1' } })
  const levels = await json<InventoryLevel[]>('inventory', 'ls', '--all')
  const longest = Math.max(...levels.map(({ on_hand }) => on_hand))
  const uneven = levels.filter(({ available, allocated }) => allocated > 0 && available > allocated + 1)
  expect(uneven.length).toBeGreaterThan(0)
  for (const { sku, on_hand, available, allocated } of uneven) {
    const row = out.split('\n').find((line) => line.startsWith(`${sku} `)) ?? ''
    const [full = '', half = ''] = [/█+/.exec(row)?.[0], /█(▒+)/.exec(row)?.[1]]
    const scale = 32 / longest
    expect([sku, Math.abs(full.length - available * scale) <= 1]).toEqual([sku, true])
    expect([sku, Math.abs(half.length - Math.max(1, allocated * scale)) <= 1]).toEqual([sku, true])
    expect(on_hand).toBeGreaterThan(0)
  }
})

describe('manifests report as rows', () => {
  let report: ManifestReport
  const name = 'R-1'

  beforeAll(async () => {
    const body = JSON.stringify({ reference: name, lines: [{ external_ref: 'A', description: 'Box' }] })
    await user.run(['manifests', 'submit', '-'], { input: body })
    const flags = [
      '--grader',
      'PSA',
      '--cert-number',
      '99112233',
      '--grade',
      '9',
      '--name',
      '=Unknown',
      '--flag',
      'damaged',
    ]
    const intake = await user.run(['sandbox', 'intake', '--manifest', name, ...flags])
    expect([intake.code, intake.err]).toEqual([0, expect.any(String)])
    report = await json<ManifestReport>('manifests', 'report', name)
    expect(report.unexpected).toHaveLength(1)
  })

  test.each([
    ['--csv', 'r.csv'],
    ['--csv', '-'],
    ['--output', 'csv'],
  ])('%s %s includes the unexpected items and says so', async (...flags) => {
    const { code, out, err } = await user.run(['manifests', 'report', name, ...flags])
    const text = flags[1] === 'r.csv' ? readFileSync(join(user.home, 'r.csv'), 'utf8') : out
    const [item] = report.unexpected
    expect([code, text.trimEnd().split('\n').slice(1)]).toEqual([
      0,
      [
        'A,expected,1,0,-1,,Box,,,,,,,',
        `,unexpected,0,1,1,,'=Unknown,,99112233,${item?.sku},damaged,${item?.qid}: damaged,,${item?.qid}`,
      ],
    ])
    expect(err).toContain('1 line and 1 unexpected item')
  })

  test('adds up equal unexpected units in a terminal, as it does those of a line', async () => {
    const body = JSON.stringify({ reference: 'R-2', lines: [{ description: 'Box' }] })
    await user.run(['manifests', 'submit', '-'], { input: body })
    const sku = 'PKM-151-ETB'
    const input = `sku,quantity,condition_flags\n${sku},5,\n${sku},2,crushed\n`
    await user.run(['warehouse', 'intake', '-', '--manifest', 'R-2'], { input })
    const { out } = await user.run(['manifests', 'report', 'R-2'], { terminal: 120, env: { NO_COLOR: '1' } })
    const lines = out.split('\n').filter((line) => line.startsWith('unexpected'))
    expect(lines.map((line) => line.trim().split(/ +/).slice(1, 4).join(' '))).toEqual(['0 5 5', '0 2 2'])
    for (const flags of [['--lines'], ['--output', 'csv']]) {
      const each = await user.run(['manifests', 'report', 'R-2', ...flags])
      expect(each.out.match(/\bunexpected\W+0\W+1\W+1\b/g)).toHaveLength(7)
    }
  })

  test('--html - and --csv - write to stdout, one at a time, and never to a file called -', async () => {
    const { code, out, err } = await user.run(['manifests', 'report', name, '--html', '-'])
    expect([code, out.slice(0, 15), err]).toEqual([0, '<!DOCTYPE html>', ''])
    const both = await user.run(['manifests', 'report', name, '--html', '-', '--csv', '-'])
    expect([both.code, both.out, both.err]).toEqual([2, '', expect.stringContaining('--html - and --csv -')])
  })
})
