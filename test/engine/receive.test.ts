import { beforeEach, describe, expect, test } from 'vitest'
import type { BodyInput } from '../../src/contract/operations.ts'
import { forEachTest, harnessWith } from '../support/each.ts'
import { usualDatabases } from '../support/harness.ts'
import {
  arrive,
  type LineSent,
  manifestOf,
  product,
  slabLine,
  stockCatalog,
  submit,
} from '../support/manifests.ts'

type ReceiveSent = BodyInput<'receiveManifest'>

describe.each(usualDatabases)(
  'POST /sandbox/manifests/{id}/receive over $name (decisions 10, 11)',
  (database) => {
    const harness = forEachTest(harnessWith(database))
    let id: string
    beforeEach(async () => {
      await stockCatalog(harness.client, 'ETB-1')
      const lines = [
        slabLine('1'),
        { description: 'Box', sku: 'ETB-1', quantity: 3 },
        { description: 'Charizard', quantity: 2 },
      ]
      id = (await submit(harness.client, 'PO-7', lines)).id
    })

    const receive = async (body: ReceiveSent) =>
      (await harness.client.receiveManifest({ params: { manifest_id: id }, body })).data.intakes
    const totals = async () =>
      (await harness.client.getManifestReport({ params: { manifest_id: id } })).data.totals
    const lineIds = async () => (await manifestOf(harness.client, id)).lines.map((line) => line.id)

    test('receives a line beyond the first thousand like any other', async () => {
      const lines = Array.from({ length: 1001 }, (_, n) => slabLine(`C-${n}`))
      id = (await submit(harness.client, 'PO-8', lines)).id
      const { data } = await harness.client.getManifest({
        params: { manifest_id: id },
        query: { page: 2, page_size: 1000 },
      })
      const [last] = data.lines
      const [intake] = await receive({ lines: [{ line_id: last?.id ?? '' }] })
      expect(intake).toMatchObject({ manifest_line_id: last?.id, item: { cert_number: 'C-1000' } })
    })

    test.each<[string, LineSent]>([
      ['its description is only punctuation', { description: '???' }],
      ['its description is an emoji', { description: '🔥🔥' }],
      [
        'its certificate has no letter or digit',
        { description: 'Pikachu', cert_number: '---', grader: 'PSA', sku: 'ETB-1' },
      ],
      ['its SKU has no letter or digit', { description: 'Pikachu', sku: '---' }],
      ['it has a grader and a SKU', { description: 'Pikachu', sku: 'ETB-1', grader: 'PSA' }],
    ])('receives a complete line as sent, clean and once, if %s', async (_, line) => {
      await stockCatalog(harness.client, '---')
      id = (await submit(harness.client, 'PO-8', [line])).id
      expect(await receive({ outcome: 'complete' })).toMatchObject([{ condition_flags: [] }])
      expect(await receive({ outcome: 'complete' })).toEqual([])
      expect(await totals()).toMatchObject({ expected: 1, matched: 1, unexpected: 0 })
    })

    test.each([
      ['short', 5, { matched: 5, missing: 1, unexpected: 0, condition_mismatch: 0 }],
      ['excess', 7, { matched: 6, missing: 0, unexpected: 1, condition_mismatch: 0 }],
      ['damaged', 6, { matched: 5, missing: 0, unexpected: 0, condition_mismatch: 1 }],
    ] as const)('%s: %i items', async (outcome, count, expected) => {
      const intakes = await receive({ outcome })
      expect(intakes).toHaveLength(count)
      expect(intakes.every((intake) => intake.manifest_id === id)).toBe(true)
      expect(await totals()).toEqual({ expected: 6, ...expected })
    })

    test('does not receive again what has arrived', async () => {
      await arrive(harness.client, [product('ETB-1')])
      await receive({ outcome: 'short' })
      expect(await totals()).toMatchObject({ matched: 5, missing: 1 })
      expect(await receive({ outcome: 'complete' })).toHaveLength(1)
      expect(await receive({ outcome: 'complete' })).toEqual([])
      expect(await totals()).toEqual({
        expected: 6,
        matched: 6,
        missing: 0,
        unexpected: 0,
        condition_mismatch: 0,
      })
    })

    test('receives by line as many units as named, with their flags; those beyond the quantity are unexpected', async () => {
      const [first, second] = await lineIds()
      const intakes = await receive({
        lines: [
          { line_id: first ?? '', condition_flags: ['cracked_case'] },
          { line_id: second ?? '', quantity: 4 },
          { line_id: second ?? '', quantity: 0 },
        ],
      })
      expect(intakes.map((intake) => [intake.manifest_line_id, intake.condition_flags])).toEqual([
        [first, ['cracked_case']],
        ...Array(3).fill([second, []]),
        [null, []],
      ])
      expect(await totals()).toEqual({
        expected: 6,
        matched: 3,
        missing: 2,
        unexpected: 1,
        condition_mismatch: 1,
      })
    })

    test('scans a unit against the named line, even if an earlier one has the same SKU', async () => {
      const two = [
        { description: 'a', sku: 'ETB-1' },
        { description: 'b', sku: 'ETB-1' },
      ]
      id = (await submit(harness.client, 'PO-8', two)).id
      const [first, second] = await lineIds()
      expect(await receive({ lines: [{ line_id: second ?? '' }] })).toMatchObject([
        { manifest_line_id: second },
      ])
      expect(await receive({ lines: [{ line_id: second ?? '' }] })).toMatchObject([
        { manifest_line_id: first },
      ])
    })

    test('answers 400 for more than 50,000 units at once', async () => {
      id = (await submit(harness.client, 'PO-8', [{ description: 'Commons', quantity: 50_001 }])).id
      await expect(receive({ outcome: 'complete' })).rejects.toMatchObject({
        status: 400,
        extra: { fields: { outcome: ['brings 50001 units: at most 50000 can be received at once'] } },
      })
    })
  },
)
