import { expect, test } from 'vitest'
import { inScope, sql, type Tx } from '../../src/store/database.ts'
import { checkDatabase } from '../../src/store/maintenance/check.ts'
import { migrate } from '../../src/store/migrate.ts'
import { searchOf } from '../../src/store/search-of.ts'
import { editableDatabases, type Harness, startHarness } from '../support/harness.ts'
import { phrasesUndone } from '../support/phrases-undone.ts'
import { undoRules } from '../support/rules-undone.ts'
import { versionsAfter } from '../support/schema-versions.ts'
import { storeItems } from '../support/stored-items.ts'
import { undoneRanges } from '../support/undone-ranges.ts'

const foldedBefore = (text: string): string => text.normalize('NFC').toLowerCase()

/** More than one step folds, most of which stay unchanged. */
const names = [
  'Λόγος ΟΔΟΣ',
  'Straße',
  'a\u001fb',
  ...Array.from({ length: 1100 }, (_, n) => `Pokémon ${n}`),
  'ＦＵＬＬ',
]

test.each(editableDatabases)(
  'text folded before migration 4 is found after it, over $name',
  async (database) => {
    const harness = await startHarness(database)
    for (const scope of [harness.scope, harness.strangerScope]) {
      const items = await storeItems(
        harness,
        names.map((name, n) => ({ name, sku: n === 1 ? 'GROẞ' : `SKU-${n}` })),
        scope,
      )
      expect(items).toHaveLength(names.length)
    }
    await harness.db.write(async (tx) => {
      for (const scope of [harness.scope, harness.strangerScope])
        for (const [at, name] of names.entries())
          if (/^[^P]/.test(name)) await foldAsBefore(tx, scope.id, at + 1)
      await tx.run(sql`delete from schema_version where version >= 4`)
    })
    expect(await foundBy(harness, 'ΟΔΟΣ', 'strasse', 'full')).toEqual([0, 0, 0])
    expect(await checkDatabase(harness.db)).toContainEqual(
      expect.objectContaining({ table: 'items', problem: expect.stringMatching(/^search_text is /) }),
    )
    await harness.db.write(async (tx) => {
      await undoRules(tx)
      for (const statement of [...phrasesUndone(), ...undoneRanges]) await tx.run(statement)
    })
    expect(await migrate(harness.db)).toEqual(versionsAfter(3))
    expect(await checkDatabase(harness.db)).toEqual([])
    expect(await foundBy(harness, 'ΟΔΟΣ', 'strasse', 'full', 'pokémon', 'a b')).toEqual([1, 1, 1, 1100, 1])
    expect((await harness.client.listItems({ query: { sku: 'gross' } })).data.total).toBe(1)
    await harness.close()
  },
)

async function foldAsBefore(tx: Tx, scopeId: number, item_no: number): Promise<void> {
  const row = await tx.get<{ search_text: string; doc: string }>(
    sql`select search_text, doc from items where scope_id = ${scopeId} and item_no = ${item_no}`,
  )
  const { name, sku } = JSON.parse(row?.doc ?? '') as { name: string; sku: string }
  const text = `${foldedBefore(name)}\n${foldedBefore(sku)}`
  await searchOf(tx).remove(inScope(tx, scopeId), [{ item_no, text: row?.search_text ?? '' }])
  await searchOf(tx).insert(inScope(tx, scopeId), [{ item_no, text }])
  await tx.run(sql`
    update items set search_text = ${text}, sku_fold = ${foldedBefore(sku)}
    where scope_id = ${scopeId} and item_no = ${item_no}`)
}

async function foundBy({ client }: Harness, ...terms: string[]): Promise<number[]> {
  const totals: number[] = []
  for (const search of terms) totals.push((await client.listItems({ query: { search } })).data.total)
  return totals
}
