import { chmodSync, existsSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import type { IntakeEvent, InventoryLevel } from '../../src/contract/resources/item.ts'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forAllTests(operatorWith())
let flagged: IntakeEvent

const terminal = {
  env: {
    NODE_OPTIONS: `--require ${join(root, 'test', 'support', 'pretend-terminal.cjs')}`,
    COLUMNS: '80',
    NO_COLOR: '1',
  },
}
const reference = 'PO-2026-AUTUMN-101'

beforeAll(async () => {
  const rows =
    'external_ref,description,quantity,sku\nL-1,Elite Trainer Box,6,PKM-PRE-ETB\nL-2,A box,2,PKM-151-UPC'
  const by = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
  const submit = ['manifests', 'submit', operator.write('po.csv', rows), '--reference', reference]
  expect((await operator.run([...submit, '--arrives-by', by])).exitCode).toBe(0)
  const lines = ['--line', 'L-1=5', '--line', 'L-1=1:cracked_case', '--only']
  const arrived = await operator.json<IntakeEvent[]>(['sandbox', 'receive', reference, ...lines])
  flagged = arrived.find(({ condition_flags }) => condition_flags.length > 0)!
})

test('show breaks a long value between words, under its beginning', async () => {
  const { stdout } = await operator.run(['fulfillments', 'show', 'WEB-20377'], terminal)
  expect(stdout).toMatch(
    /^Issue {12}address_undeliverable: The carrier could not find the house\n {17}number\. /m,
  )
  const piped = await operator.run(['fulfillments', 'show', 'WEB-20377'])
  expect(piped.stdout).toMatch(/^issue\taddress_undeliverable: .* house number\. .* recipient\.$/m)
})

describe('manifests ls and show', () => {
  test('show received and expected units, a bar, and the day on which the manifest closes', async () => {
    const { stdout } = await operator.run(['manifests', 'ls', '--limit', '1', '--output', 'table'])
    expect(stdout).toMatch(/^REFERENCE +STATUS +RECV +EXP +CLOSES/)
    expect(stdout).toMatch(/\nPO-2026-AUTUMN-101 {2}receiving {5}6 {4}8 {2}███████░░░ {2}\d{4}-\d\d-\d\d {2}/)
    const columns = 'reference,received,expected,percent,closes_on'
    const piped = await operator.run(['manifests', 'ls', '--limit', '1', '--columns', columns])
    expect(piped.stdout).toMatch(/\nPO-2026-AUTUMN-101\t6\t8\t75\t\d{4}-\d\d-\d\d\n$/)
    const shown = await operator.run(['manifests', 'show', reference, '--output', 'table'])
    const [, day] = /^Closes by itself +(\S+)$/m.exec(shown.stdout) ?? []
    expect(piped.stdout).toContain(`\t${day}\n`)
  })

  test('show the units of several manifests', async () => {
    const show = [
      'manifests',
      'show',
      reference,
      'PO-1041',
      '--columns',
      'reference,received,expected,percent',
    ]
    expect((await operator.run(show)).stdout).toContain('\nPO-2026-AUTUMN-101\t6\t8\t75\nPO-1041\t')
  })

  test('take several references, and no comma in a search that would find nothing', async () => {
    const several = [
      'fulfillments',
      'ls',
      '--external-ref',
      'WEB-20355,WEB-20391',
      '--columns',
      'external_ref',
    ]
    const { stdout } = await operator.run(several)
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual(['WEB-20355', 'WEB-20391', 'external_ref'])
    const list = await operator.run(['fulfillments', 'ls', '--external-refs', 'WEB-20355,WEB-20391'])
    expect([list.exitCode, list.stderr]).toEqual([2, expect.stringContaining('Did you mean --external-ref?')])
    const search = await operator.run(['items', 'ls', '--search', 'Shanks,Charizard'])
    const advice = 'If the comma belongs to the text, write \\, instead.'
    expect([search.exitCode, search.stderr]).toEqual([2, expect.stringContaining(advice)])
    const comma = await operator.run(['items', 'ls', '--search', 'Shanks\\,'])
    expect([comma.exitCode, comma.stderr]).toEqual([0, expect.stringContaining('none found')])
  })

  test('print the wire’s JSON, and no closing day for a closed manifest', async () => {
    const [first] = await operator.json<Manifest[]>(['manifests', 'ls', '--limit', '1'])
    expect(Object.keys(first!)).not.toContain('received')
    const ls = ['manifests', 'ls', '--status', 'reconciled', '--columns', 'reference,closes_on']
    expect((await operator.run(ls)).stdout).toBe('reference\tcloses_on\nPO-1041\t\n')
  })
})

describe('a flagged unit among several', () => {
  const unit = () => `${flagged.qid}: cracked_case`

  test("is named by manifests show and report, with the line's count of units as expected", async () => {
    for (const verb of ['show', 'report']) {
      const { stdout } = await operator.run(['manifests', verb, reference, '--output', 'table'])
      const [, below] = stdout.split('\nFlagged units (1)\n')
      expect([verb, below]).toEqual([
        verb,
        expect.stringMatching(new RegExp(`\n${flagged.qid} +cracked_case +5 as expected +L-1 +Elite`)),
      ])
    }
  })

  test('is named in the CSV and on the page; totals and JSON are the wire’s', async () => {
    const report = ['manifests', 'report', reference]
    expect((await operator.run([...report, '--csv', 'r.csv'])).exitCode).toBe(0)
    expect(operator.read('r.csv')).toContain(`,cracked_case,${unit()},`)
    expect((await operator.run([...report, '--html', 'r.html'])).exitCode).toBe(0)
    const page = operator
      .read('r.html')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
    expect(page).toContain(`${flagged.qid} cracked case the other 5 as expected`)
    const { totals, ...data } = await operator.json<Record<string, object>>(report)
    expect(totals).toMatchObject({ matched: 5, condition_mismatch: 1, missing: 2 })
    expect(Object.keys(data)).not.toContain('flagged')
  })
})

describe('references instead of ids', () => {
  test('arrivals show the reference, and the id can be chosen', async () => {
    const { stdout } = await operator.run(['intakes', 'ls', '--limit', '1'])
    const [head, row] = stdout.split('\n').map((line) => line.split('\t'))
    expect(head).not.toContain('manifest_id')
    expect(row![head!.indexOf('manifest')]).toBe(reference)
    const [{ manifest_id } = {}] = await operator.json<Array<Partial<IntakeEvent>>>([
      'intakes',
      'ls',
      '--limit',
      '1',
    ])
    const chosen = await operator.run(['intakes', 'ls', '--limit', '1', '--columns', 'manifest,manifest_id'])
    expect(chosen.stdout).toBe(`manifest\tmanifest_id\n${reference}\t${manifest_id}\n`)
  })

  test('the clock says what closed, and every view of events shows the whole reference at 80 columns', async () => {
    const moved = await operator.run(['sandbox', 'clock', '--advance', '10d'])
    expect(moved.stderr).toContain(`\nclosed ${reference}: 2 missing, 1 flagged\n`)
    const nothing = await operator.run(['sandbox', 'clock', '--advance', '1s'])
    expect(nothing.stderr).toMatch(/\nNothing was due\.\n$/)
    const type = ['--type', 'manifest.reconciliation.completed']
    const tail = ['events', 'tail', '--limit', '1', ...type]
    const [event] = await operator.json<WebhookEvent[]>(tail)
    const told = `${reference}\t5 of 8 matched, 2 missing, 1 flagged`
    expect((await operator.run(tail)).stdout).toContain(told)
    expect((await operator.run(['events', 'ls', '--all', ...type])).stdout).toContain(told)
    expect((await operator.run(['events', 'show', event!.id])).stdout).toContain(`subject\t${reference}\n`)
    expect((await operator.run(tail, terminal)).stdout).toMatch(
      new RegExp(`manifest\\.reconciliation {2}${reference} {2}5 of 8 m`),
    )
    expect(JSON.stringify(event)).not.toContain(reference)
  })
})

describe('finding', () => {
  test('--sku matches part of a SKU in every list, and --search also matches names', async () => {
    for (const noun of ['products', 'inventory', 'items']) {
      const { stdout } = await operator.run([
        noun,
        'ls',
        '--sku',
        'pre-et',
        '--limit',
        '1',
        '--columns',
        'sku',
      ])
      expect([noun, stdout]).toEqual([noun, 'sku\nPKM-PRE-ETB\n'])
    }
    const search = ['products', 'ls', '--search', 'PRISMATIC evolutions elite', '--columns', 'sku']
    expect((await operator.run(search)).stdout).toBe('sku\nPKM-PRE-ETB\n')
    expect((await operator.run(['products', 'ls', '--search', 'no such thing'])).stderr).toContain(
      'none found',
    )
    const combined = await operator.run([...search, '--page', '2'])
    expect([combined.exitCode, combined.stderr]).toEqual([
      2,
      expect.stringContaining('--page cannot be combined with --search'),
    ])
  })

  test('inventory shows names of products and slabs; its JSON has none', async () => {
    const { stdout } = await operator.run(['inventory', 'ls', '--all', '--columns', 'sku,name,on_hand'])
    expect(stdout).toContain('\nPKM-PRE-ETB\tPokémon Prismatic Evolutions Elite Trainer Box\t')
    expect(stdout).toMatch(/\nGS-\S+\t\S[^\t]+\t1\n/)
    const [level] = await operator.json<InventoryLevel[]>(['inventory', 'ls', '--limit', '1'])
    expect(Object.keys(level!)).toEqual(['sku', 'on_hand', 'available', 'allocated'])
  })

  test('--cert means --cert-number', async () => {
    const [{ cert_number } = {}] = (
      await operator.json<Array<{ cert_number: string | null }>>(['items', 'ls', '--all'])
    ).filter((item) => item.cert_number !== null)
    for (const noun of ['items', 'intakes']) {
      const found = await operator.json<unknown[]>([noun, 'ls', '--cert', cert_number!])
      expect([noun, found]).toEqual([noun, await operator.json([noun, 'ls', '--cert-number', cert_number!])])
      expect(found).toHaveLength(1)
    }
  })
})

describe('--open', () => {
  test("opens the written page with the system's program", async () => {
    const bin = operator.path('bin')
    mkdirSync(bin)
    for (const name of ['xdg-open', 'open']) {
      operator.write(`bin/${name}`, `#!/bin/sh\necho "$1" > opened\n`)
      chmodSync(join(bin, name), 0o755)
    }
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}` }
    const report = ['manifests', 'report', 'PO-1041', '--html', 'o.html', '--open']
    expect((await operator.run(report, { env })).exitCode).toBe(0)
    await vi.waitFor(() => expect(operator.read('opened')).toBe('o.html\n'), { timeout: 20_000 })
  })

  test('exits 2 and writes nothing without a page or without a program to open it', async () => {
    const commands = [
      ['manifests', 'report', 'PO-1041'],
      ['manifests', 'labels', 'PO-1041'],
      ['report', 'holdings'],
      ['warehouse', 'picks'],
    ]
    for (const command of commands) {
      const none = await operator.run([...command, '--open'])
      expect([command, none.exitCode, none.stderr]).toEqual([
        command,
        2,
        expect.stringContaining('--html FILE'),
      ])
      const lacking = await operator.run([...command, '--open', '--html', 'n.html'], {
        env: { PATH: '/nowhere' },
      })
      expect([command, lacking.exitCode, lacking.stderr]).toEqual([
        command,
        2,
        expect.stringMatching(/--open needs .* Leave --open out\.\n$/),
      ])
    }
    expect(existsSync(operator.path('n.html'))).toBe(false)
  })
})
