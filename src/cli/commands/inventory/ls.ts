import type { InventoryLevel } from '../../../contract/resources/item.ts'
import { searchForms } from '../../../domain/items/search-text.ts'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { wholeNumber } from '../../find/filters.ts'
import { type ListOptions, listing, runList } from '../../list/list-command.ts'
import { inventoryList } from '../../views/items.ts'

const list = {
  id: 'listInventory' as const,
  view: inventoryList,
  meanings: { sku: 'only SKUs that contain this text, in upper or lower case' },
  keys: ['sku'],
}

export const command: CommandFile<[ListOptions]> = {
  summary: 'List stock by SKU',
  details: 'On hand = available + allocated + still being received.',
  examples: ['inventory ls', 'inventory ls --sku PKM-151-ETB', 'inventory ls --all --output csv > stock.csv'],
  ...listing(list),
  run,
}

/** The wire's `sku` is one whole SKU; here it is a part of one, as in `items ls`, so that all levels are looked through. */
async function run(session: Session, options: ListOptions): Promise<void> {
  const { sku, limit, ...others } = options
  if (sku === undefined) return runList(session, list, options)
  if (others.page !== undefined)
    throw usage('--page cannot stand beside --sku, which looks through them all.')
  const wanted = [sku].flat().map((text) => searchForms(String(text)))
  const isWanted = (level: InventoryLevel): boolean => {
    const own = searchForms(level.sku)
    return wanted.some((forms) => forms.some((form) => own.some((text) => text.includes(form))))
  }
  const most = limit === undefined ? undefined : wholeNumber(limit, '--limit', 1)
  await runList(session, list, { ...others, all: true }, { isWanted, most })
}
