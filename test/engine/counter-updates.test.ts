import { expect, test } from 'vitest'
import { counterUpdates } from '../../src/engine/counter-updates.ts'
import type { Tx } from '../../src/store/database.ts'

test('when one stock level cannot be written, nothing of the others comes behind the rollback', async () => {
  const statements: string[] = []
  const update = Promise.withResolvers<number>()
  const tx = {
    run: ({ values }: { values: unknown[] }) =>
      values.includes('FULL') ? Promise.reject(new Error('disk I/O error')) : update.promise,
    change: async () => void statements.push('insert'),
  } as unknown as Tx
  const updates = counterUpdates()
  for (const sku of ['FULL', 'NEW']) updates.stock(sku, { on_hand: 1, available: 0, allocated: 0 })

  const written = updates.write(tx, 1).finally(() => statements.push('rollback'))
  setImmediate(() => update.resolve(0))

  await expect(written).rejects.toThrow('disk I/O error')
  expect(statements).toEqual(['insert', 'rollback'])
})

/** The keys of each statement that changes counts. */
async function changedFor(changes: ReadonlyArray<readonly [key: string, by: number]>): Promise<string[][]> {
  const statements: string[][] = []
  const tx = {
    change: async ({ values }: { values: unknown[] }) => {
      const keys = values.filter((value) => typeof value === 'string' && value.startsWith('key'))
      statements.push([...new Set(keys as string[])])
    },
  } as unknown as Tx
  const updates = counterUpdates()
  for (const [key, by] of changes) updates.count('words', key, by)
  await updates.write(tx, 1)
  return statements
}

test('up to 16 counts are one statement; more are powers of two, 128 at most, so that each text stays prepared', async () => {
  const keys = Array.from({ length: 301 }, (_, n) => `key ${n}`)
  const statements = await changedFor(keys.map((key) => [key, 1]))
  expect(statements.map((some) => some.length)).toEqual([128, 128, 32, 13])
  expect(statements.flat()).toEqual(keys)
})

test('a count that is what it was is not written', async () => {
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
