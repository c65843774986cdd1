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
