import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { forAllTests } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forAllTests(operatorWith())

describe('custody status', () => {
  test('counts what needs attention, then lists it by reference', async () => {
    const { exitCode, stdout } = await operator.run(['status', '--output', 'table'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /^Open manifests {2,}3\nFulfillments with problems {2,}1\nTransfers waiting {2,}1\n/,
    )
    expect(stdout).toMatch(/^PO-1043 +receiving +26 of 28 +\d{4}-\d\d-\d\d, in \d+ days/m)
    expect(stdout).toMatch(/^WEB-20377 +exception +address_undeliverable/m)
  })

  test("prints the resources as JSON, with each open manifest's totals and closing day", async () => {
    const { stdout } = await operator.run(['status', '--json'])
    const { now, manifests, fulfillments, transfers, webhooks } = JSON.parse(stdout)
    expect(now).toMatch(/^\d{4}-/)
    expect(manifests).toHaveLength(3)
    expect(manifests[0]).toMatchObject({
      reference: 'PO-1043',
      totals: { expected: 28, matched: 26, condition_mismatch: 0, missing: 2, unexpected: 0 },
    })
    expect(manifests.map(({ days_left }: { days_left: number }) => days_left)).toEqual(
      manifests
        .map(({ days_left }: { days_left: number }) => days_left)
        .sort((a: number, b: number) => a - b),
    )
    expect(fulfillments).toEqual([expect.objectContaining({ status: 'exception', is_late: false })])
    expect(transfers).toEqual([expect.objectContaining({ status: 'requested' })])
    expect(webhooks).toEqual([])
  })

  test('lists an overdue order as a problem, and the day on which a manifest closes', async () => {
    const order = [
      'fulfillments',
      'create',
      '--sku',
      'PKM-PRE-ETB',
      '--quantity',
      '1',
      '--external-ref',
      'LATE-1',
    ]
    const to = ['--recipient-name', 'A. Buyer', '--street', '1 Main St', '--city', 'Austin', '--state', 'TX']
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const made = await operator.run([
      ...order,
      ...to,
      '--zip',
      '73301',
      '--country',
      'US',
      '--deliver-by',
      tomorrow,
    ])
    expect(made).toMatchObject({ exitCode: 0 })
    const before = JSON.parse((await operator.run(['status', '--json'])).stdout)
    expect(before.fulfillments).toHaveLength(1)
    const [{ days_left, reference }] = before.manifests
    await operator.run(['sandbox', 'clock', '--advance', `${days_left}d`])
    const after = JSON.parse((await operator.run(['status', '--json'])).stdout)
    expect(after.fulfillments).toContainEqual(
      expect.objectContaining({ external_ref: 'LATE-1', is_late: true }),
    )
    expect(after.manifests).not.toContainEqual(expect.objectContaining({ reference }))
  })

  test('lists a product as sold out once its last unit is delivered, but not one that never had any', async () => {
    const soldOut = async () =>
      JSON.parse((await operator.run(['status', '--json'])).stdout).inventory.map(
        ({ sku }: { sku: string }) => sku,
      )
    const sku = ['--sku', 'BOW-CHR-24-HOB']
    const to = 'A. Buyer|1 Main St|Austin|TX|73301|US'.split('|')
    const flags = ['recipient-name', 'street', 'city', 'state', 'zip', 'country'].flatMap((name, at) => [
      `--${name}`,
      to[at] as string,
    ])
    expect(await soldOut()).not.toContain('BOW-CHR-24-HOB')
    await operator.run(['sandbox', 'intake', ...sku])
    await operator.run(['sandbox', 'advance', ...sku, '--to', 'available'])
    const order = ['fulfillments', 'create', ...sku, '--quantity', '1', '--external-ref', 'LAST-1']
    expect(await operator.run([...order, ...flags])).toMatchObject({ exitCode: 0 })
    expect(await soldOut()).toEqual(['BOW-CHR-24-HOB'])
    expect(await operator.run(['sandbox', 'fulfillment', 'LAST-1', '--to', 'delivered'])).toMatchObject({
      exitCode: 0,
    })
    expect(await soldOut()).toEqual(['BOW-CHR-24-HOB'])
  })

  test('says which lists it read only in part', async () => {
    const rows = Array.from({ length: 250 }, (_, n) => `P-${n},Box ${n},1,1,1,in,1,oz`)
    const header = 'sku,name,length,width,height,dimension_unit,weight,weight_unit'
    operator.write('many.csv', [header, ...rows].join('\n'))
    expect(await operator.run(['products', 'import', 'many.csv'])).toMatchObject({ exitCode: 0 })
    const { stderr } = await operator.run(['status'])
    expect(stderr).toMatch(/Looked only at the first 250 of \d+ SKUs\.\n$/)
  })

  test('is what custody alone shows in a terminal; in a pipe custody shows help', async () => {
    const env = { NODE_OPTIONS: `--require ${join(root, 'test', 'support', 'pretend-terminal.cjs')}` }
    expect((await operator.run([], { env })).stdout).toContain('Open manifests')
    expect((await operator.run([])).stdout).toContain('Usage: custody')
  })
})
