import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import type { Product } from '../../src/contract/resources/product.ts'
import { newOperator, type Operator } from '../support/operator.ts'

let operator: Operator

beforeEach(async () => {
  operator = await newOperator()
})
afterEach(() => operator.leave())

describe('fulfillments import --dry-run', () => {
  test('says of each row what the import then says, across the whole file; --offline checks the file alone', async () => {
    const [slab] = await operator.json<Item[]>(['items', 'ls', '--status', 'available', '--limit', '1'])
    const [level] = (
      await operator.json<Array<{ sku: string; available: number }>>(['inventory', 'ls'])
    ).filter(({ available }) => available > 1)
    const { sku = '', available = 0 } = level ?? {}
    const address = 'Ann,1 Main St,Austin,TX,73301,US'
    operator.write(
      'orders.csv',
      [
        'sku,quantity,qid,recipient_name,street,city,state,zip,country,external_ref',
        `NO-SUCH-SKU,1,,${address},T-1`,
        `${sku},${available},,${address},T-2`,
        `${sku},1,,${address},T-3`,
        `,,${slab?.qid},${address},T-4`,
        `,,${slab?.qid},${address},T-5`,
        '',
      ].join('\n'),
    )
    const told = (text: string) => text.split('\n').filter((line) => /^ {2}row \d/.test(line))
    const dry = await operator.run(['fulfillments', 'import', 'orders.csv', '--dry-run'])
    const offline = await operator.run(['fulfillments', 'import', 'orders.csv', '--dry-run', '--offline'])
    expect([offline.exitCode, told(offline.stderr)]).toEqual([0, []])
    const real = await operator.run(['fulfillments', 'import', 'orders.csv'])
    expect(told(dry.stderr)).toEqual(told(real.stderr))
    expect(told(dry.stderr).length).toBeGreaterThanOrEqual(3)
    expect([dry.exitCode, real.exitCode]).toEqual([9, 9])
    const again = await operator.run(['fulfillments', 'import', 'orders.csv', '--dry-run'])
    expect(again.stderr).toMatch(/\d rows have a reference that was ordered before\./)
  })
})

describe('manifests submit', () => {
  test('names slabs that are in custody or expected: asked of the target, rejected with --strict', async () => {
    const held = (await operator.json<Item[]>(['items', 'ls', '--limit', '200'])).find(
      (item) => item.cert_number,
    )
    const rows = [`Held,${held?.grader},${held?.cert_number}`, 'New,PSA,71234599']
    operator.write('buy.csv', ['description,grader,cert_number', ...rows, ''].join('\n'))
    const named = `row 1, line 2  cert_number "${held?.cert_number}" is in custody already: ${held?.qid}`
    const dry = await operator.run(['manifests', 'submit', 'buy.csv', '--dry-run'])
    expect([dry.exitCode, dry.stderr]).toEqual([0, expect.stringContaining(named)])
    const offline = await operator.run(['manifests', 'submit', 'buy.csv', '--dry-run', '--offline'])
    expect(offline.stderr).not.toContain('in custody')
    const submit = ['manifests', 'submit', 'buy.csv', '--reference', 'TWICE-1']
    const strict = await operator.run([...submit, '--strict'])
    expect([strict.exitCode, strict.stderr]).toEqual([6, expect.stringContaining(named)])
    expect((await operator.run(submit)).exitCode).toBe(0)
    const other = await operator.run(['manifests', 'submit', 'buy.csv', '--reference', 'TWICE-2', '--strict'])
    expect([other.exitCode, other.stderr]).toEqual([
      6,
      expect.stringContaining(
        'row 2, line 3  cert_number "71234599" is on the open manifest TWICE-1 already',
      ),
    ])
    const same = await operator.run([...submit, '--strict'])
    expect(same.stderr).not.toContain('in custody')
    expect((await operator.json<Product[]>(['manifests', 'ls', '--reference', 'TWICE-2'])).length).toBe(0)
  })
})
