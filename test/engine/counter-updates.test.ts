import { expect, test } from 'vitest'
import { counterUpdates } from '../../src/engine/unit-of-work.ts'
import type { ScopedTx } from '../../src/store/database.ts'

test('the stock of many SKUs is one statement, sent after the one that counts the first items of a SKU', async () => {
  const statements: unknown[][] = []
  const tx = {
    change: async ({ values }: { values: unknown[] }) => {
      statements.push(values.filter((value) => typeof value === 'string' && value !== ''))
    },
  } as unknown as ScopedTx
  const updates = counterUpdates()
  for (const sku of ['OLD', 'NEW', 'OLD'])
    updates.stock(sku, { on_hand: 1, available: 0, allocated: 0 }, sku === 'NEW')
  await updates.write(tx)
  expect(statements).toEqual([['NEW'], ['OLD', 'NEW']])
})

/** The keys of each statement that changes counts. */
async function changedFor(changes: ReadonlyArray<readonly [key: string, by: number]>): Promise<string[][]> {
  const statements: string[][] = []
  const tx = {
    change: async ({ values }: { values: unknown[] }) => {
      const keys = values.filter((value) => typeof value === 'string' && value.startsWith('key'))
      statements.push([...new Set(keys as string[])])
    },
  } as unknown as ScopedTx
  const updates = counterUpdates()
  for (const [key, by] of changes) updates.count('words', key, by)
  await updates.write(tx)
  return statements
}

test('up to 16 counts are one statement, and more are powers of two up to 128, so each text stays prepared', async () => {
  const keys = Array.from({ length: 301 }, (_, n) => `key ${n}`)
  const statements = await changedFor(keys.map((key) => [key, 1]))
  expect(statements.map((some) => some.length)).toEqual([128, 128, 32, 13])
  expect(statements.flat()).toEqual(keys)
})

test('an unchanged count is not written', async () => {
  expect(
    await changedFor([
      ['key 1', 1],
      ['key 2', 2],
      ['key 1', -1],
      ['key 2', -1],
    ]),
  ).toEqual([['key 2']])
  expect(
    await changedFor([
      ['key 1', 1],
      ['key 1', -1],
    ]),
  ).toEqual([])
})
