import { describe, expect, test } from 'vitest'
import type { Fulfillment, Transfer } from '../../src/contract/resources/fulfillment.ts'
import type { Item } from '../../src/contract/resources/item.ts'
import { forEachTest } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'

const operator = forEachTest(operatorWith())

describe('fulfillments', () => {
  test('are imported, found by reference, and cancelled; a late cancellation exits 5', async () => {
    const { exitCode, stdout } = await operator.run([
      'fulfillments',
      'import',
      operator.fixture('fulfillments/orders.csv'),
    ])
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, 'created\t10'])
    const order = await operator.json<Fulfillment>(['fulfillments', 'show', 'WEB-20418'])
    expect(order).toMatchObject({ status: 'pending', external_ref: 'WEB-20418' })
    const asked = await operator.run(['fulfillments', 'cancel', 'WEB-20418'])
    expect([asked.exitCode, asked.stderr]).toEqual([2, expect.stringContaining('--yes')])
    const cancelled = await operator.run(['fulfillments', 'cancel', 'WEB-20418', '--yes', '--json'])
    expect(JSON.parse(cancelled.stdout)).toMatchObject({ id: order.id, status: 'cancelled' })
    await operator.run(['sandbox', 'fulfillment', 'WEB-20419', '--stage', 'picked'])
    const late = await operator.run(['fulfillments', 'cancel', 'WEB-20419', '--yes'])
    expect(late.exitCode).toBe(5)
    const raise = ['sandbox', 'fulfillment', 'WEB-20434', '--to', 'exception', '--issue']
    const unclear = await operator.run([...raise, 'lost'])
    expect([unclear.exitCode, unclear.stderr]).toEqual([2, expect.stringContaining('"code: message"')])
    const { issue } = await operator.json<Fulfillment>([...raise, 'address_undeliverable: no such house'])
    expect(issue).toMatchObject({ code: 'address_undeliverable', message: 'no such house' })
  })

  test('are created from flags or a file; a missing value is named', async () => {
    const [item] = await operator.json<Item[]>(['items', 'ls', '--status', 'available', '--limit', '1'])
    const address = [
      '--recipient-name',
      'Grace Okafor',
      '--street',
      '2217 SE Alder Street',
      '--city',
      'Portland',
    ]
    const missing = await operator.run(['fulfillments', 'create', '--qid', item?.qid ?? '', ...address])
    expect([missing.exitCode, missing.stderr]).toEqual([
      2,
      expect.stringContaining('missing: --state, --zip, --country.'),
    ])
    const args = ['--qid', item?.qid ?? '', ...address, '--state', 'OR', '--zip', '97214', '--country', 'US']
    const created = await operator.run(['fulfillments', 'create', ...args, '--external-ref', 'W-1', '--json'])
    expect(JSON.parse(created.stdout)).toMatchObject({
      qids: [item?.qid],
      external_ref: 'W-1',
      status: 'pending',
    })
    const same = await operator.run(['fulfillments', 'create', ...args, '--external-ref', 'W-1'])
    expect([same.exitCode, same.stderr]).toEqual([
      5,
      expect.stringContaining('If this is another order, give it its own --external-ref.'),
    ])
    expect(same.stderr).not.toContain('--again')
    const twice = await operator.run(['fulfillments', 'create', ...args])
    expect(twice.exitCode).toBe(5)
  })

  test('are found by a reference that is a UUID, as shops number orders', async () => {
    const reference = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
    const [ordered, item] = await operator.json<Item[]>([
      'items',
      'ls',
      '--status',
      'available',
      '--limit',
      '2',
    ])
    const file = 'qid,recipient_name,street,city,state,zip,country,external_ref\n'
    operator.write('uuid.csv', `${file}${ordered!.qid},Ann,1 Elm,Austin,TX,78701,US,${reference}\n`)
    await operator.run(['fulfillments', 'import', 'uuid.csv'])
    const lines = JSON.stringify({ reference, lines: [{ description: 'Box' }] })
    await operator.run(['manifests', 'submit', '-'], { input: lines })
    await operator.json(['transfers', 'request', item!.qid, '--external-ref', reference])
    const shown = (kind: string) => operator.json<{ id: string }>([kind, 'show', reference])
    expect((await operator.run(['warehouse', 'pick', reference])).exitCode).toBe(0)
    for (const kind of ['fulfillments', 'manifests', 'transfers']) {
      const { id } = await shown(kind)
      expect(id).not.toBe(reference)
      expect(await operator.json([kind, 'show', id])).toMatchObject({ id })
    }
    const unknown = '3f2504e0-4f89-41d3-9a0c-0305e82c3302'
    expect((await operator.run(['fulfillments', 'cancel', unknown, '--yes'])).exitCode).toBe(4)
  })

  test("fail row by row, with the file's row numbers", async () => {
    const name = operator.fixture('fulfillments/with-faults.csv')
    const { exitCode, stdout, stderr } = await operator.run(['fulfillments', 'import', name])
    expect([exitCode, stdout.split('\n').slice(0, 3)]).toEqual([
      9,
      ['created\t3', 'failed\t19', 'submitted\t22'],
    ])
    expect(stderr).toContain('row 3, line 4    country "BR" is not served.')
    expect(stderr).toContain('rows 16 and 17   qid is not an item in custody.')
    const refs = operator.read(`${name}.errors.csv`).trimEnd().split('\n').length
    expect(refs).toBeGreaterThanOrEqual(20)
  })
})

describe('transfers', () => {
  test('are requested, resolved, and cancelled', async () => {
    const [a, b] = await operator.json<Item[]>(['items', 'ls', '--status', 'available', '--limit', '2'])
    const first = await operator.json<Transfer>([
      'transfers',
      'request',
      a?.qid ?? '',
      '--external-ref',
      'SB-9',
    ])
    expect(first).toMatchObject({ status: 'requested', external_ref: 'SB-9' })
    expect((await operator.json<Transfer>(['sandbox', 'transfer', 'SB-9', '--to', 'completed'])).status).toBe(
      'completed',
    )
    expect((await operator.json<Item>(['items', 'show', a?.qid ?? ''])).status).toBe('released')
    const unknown = await operator.run(['transfers', 'show', 'SB-10'])
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      4,
      'custody transfers show: There is no transfer with the id or reference "SB-10". See: custody transfers ls\n',
    ])
    const second = await operator.json<Transfer>(['transfers', 'request', b?.qid ?? ''])
    expect((await operator.json<Transfer>(['transfers', 'cancel', second.id, '--yes'])).status).toBe(
      'cancelled',
    )
    const listed = await operator.run([
      'transfers',
      'ls',
      '--status',
      'cancelled',
      '--columns',
      'id',
      '--no-header',
    ])
    expect(listed.stdout).toBe(`${second.id}\n`)
  })
})

describe('the sandbox', () => {
  test('receive by line lets lines that are not named arrive complete', async () => {
    const { stdout, exitCode } = await operator.run([
      'sandbox',
      'receive',
      'BS-2031',
      '--line',
      'BS-2031-09=4',
      '--line',
      'BS-2031-09=1:damaged,wrong_item',
      '--line',
      '1=0',
      '--json',
    ])
    const flags = (JSON.parse(stdout) as Array<{ condition_flags: string[] }>).map(
      ({ condition_flags }) => condition_flags,
    )
    expect(flags.filter((found) => found.length > 0)).toEqual([['damaged', 'wrong_item']])
    expect(exitCode).toBe(0)
    const report = await operator.json<{ totals: Record<string, number> }>(['manifests', 'report', 'BS-2031'])
    expect(report.totals).toMatchObject({ missing: 2, condition_mismatch: 1 })
    const wrong = await operator.run(['sandbox', 'receive', 'BS-2031', '--line', 'BS-2031-99=1'])
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('the manifest has no line "BS-2031-99"'),
    ])
  })

  test('advance chooses items by manifest, SKU, and status, and skips those already there', async () => {
    const chosen = ['--sku', 'pre-etb', '--status', 'received,available']
    const before = await operator.json<Item[]>([
      'items',
      'ls',
      '--manifest-id',
      'PO-1042',
      ...chosen,
      '--all',
    ])
    expect(before.length).toBeGreaterThan(1)
    const advance = ['sandbox', 'advance', '--manifest', 'PO-1042', ...chosen, '--to', 'withdrawn']
    const moved = await operator.json<Item[]>(advance)
    expect(moved.map(({ qid }) => qid).sort()).toEqual(before.map(({ qid }) => qid).sort())
    expect(new Set(moved.map(({ status }) => status))).toEqual(new Set(['withdrawn']))
    const again = await operator.run(advance)
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('No items to move.')])
    for (const args of [[], [before[0]?.qid ?? '', '--sku', 'x']]) {
      const wrong = await operator.run(['sandbox', 'advance', ...args, '--to', 'available'])
      expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('--manifest, --sku, and')])
    }
  })

  test('advance of a fulfillment exits 5 if its state prevents the step, and names the possible ones', async () => {
    const [order] = await operator.json<Fulfillment[]>(['fulfillments', 'ls', '--status', 'delivered'])
    const late = await operator.run(['sandbox', 'fulfillment', order?.id ?? '', '--stage', 'packed'])
    expect([late.exitCode, late.stderr]).toEqual([
      5,
      expect.stringContaining('--stage "packed" cannot be reached from delivered. From there: returned.'),
    ])
    const back = await operator.run(['sandbox', 'fulfillment', 'WEB-20388', '--stage', 'picked'])
    const stages = 'verified, labeled, queued_for_carrier, shipped'
    expect([back.exitCode, back.stderr]).toEqual([
      5,
      expect.stringContaining(`cannot be reached from processing (packed). From there: ${stages}`),
    ])
  })

  test('the clock advances, and everything that is then due happens', async () => {
    const { stdout } = await operator.run(['sandbox', 'clock', '--advance', '40d', '--json'])
    expect(JSON.parse(stdout).offset_seconds).toBe(40 * 86_400)
    const open = await operator.run(['manifests', 'ls', '--status', 'receiving', '--no-header'])
    expect(open.stdout).toBe('')
  })

  test('an age counts back from the clock of the sandbox, in lists, tails, and replays', async () => {
    await operator.run(['sandbox', 'clock', '--advance', '40d'])
    const since = async (...args: string[]) => (await operator.run([...args, '--no-header'])).stdout
    expect(await since('items', 'ls', '--intake-after', '7d')).toBe('')
    expect(await since('items', 'ls', '--intake-after', '41d')).not.toBe('')
    expect(await since('events', 'tail', '--since', '7d', '--type', 'item.intake.completed')).toBe('')
    await operator.run(['webhooks', 'create', 'https://hooks.example.com/ages', '--json'])
    const replay = ['webhooks', 'replay', 'https://hooks.example.com/ages', '--since']
    const queued = async (age: string) => (await operator.json<{ queued: number }>([...replay, age])).queued
    expect([await queued('0d'), (await queued('41d')) > 0]).toEqual([0, true])
  })

  test('intake receives three units and attributes them to a manifest', async () => {
    const args = ['--sku', 'PKM-SSP-BB36', '--quantity', '3', '--manifest', 'PO-1042', '--flag', 'damaged']
    const { stdout } = await operator.run([
      'sandbox',
      'intake',
      ...args,
      '--columns',
      'condition_flags',
      '--no-header',
    ])
    expect(stdout).toBe('damaged\ndamaged\ndamaged\n')
  })
})
