import type { Client } from '../../../client/client.ts'
import type { Product } from '../../../contract/resources/product.ts'
import { isUuid } from '../../../domain/uuid.ts'
import { CliError } from '../../base/cli-error.ts'
import { listCommand } from '../../list/list-command.ts'
import { showCommand } from '../../list/several.ts'
import { productList, productRecord } from '../../views/products.ts'

export const ls = listCommand(
  {
    id: 'listProducts',
    view: productList,
    keys: ['product_id'],
    texts: {
      sku: {
        words: 'Only SKUs that contain this text, in upper or lower case',
        of: ({ sku }: Product) => [sku],
      },
      search: {
        words: 'Only products whose name, SKU, or UPC contains this text, ignoring case',
        of: ({ name, sku, upc }: Product) => [name, sku, upc ?? ''],
      },
    },
  },
  {
    summary: 'List the catalog, newest first',
    examples: [
      'products ls',
      'products ls --sku PKM-151',
      'products ls --search "booster box"',
      'products ls --all --output csv > catalog.csv',
    ],
  },
)

export const show = showCommand(
  {
    record: productRecord,
    list: productList,
    define: (show) => show.argument('<product...>', 'SKUs or ids; - for lines of stdin'),
    read: findProduct,
  },
  {
    summary: 'Show products',
    examples: ['products show PKM-151-ETB', 'products show PKM-151-ETB PKM-PRE-ETB'],
  },
)

async function findProduct(client: Client, given: string): Promise<Product> {
  const [bySku] = (await client.listProducts({ query: { sku: given } })).data.results
  if (bySku !== undefined) return bySku
  if (isUuid(given)) return (await client.getProduct({ params: { product_id: given } })).data
  throw new CliError('not_found', `There is no product with the SKU or id "${given}".`, {
    hint: 'See: custody products ls',
  })
}
