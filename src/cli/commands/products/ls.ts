import type { Product } from '../../../contract/resources/product.ts'
import { listCommand } from '../../list/list-command.ts'
import { productList } from '../../views/products.ts'

export const command = listCommand(
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
