import { listCommand } from '../../list/list-command.ts'
import { productList } from '../../views/products.ts'

export const command = listCommand(
  { id: 'listProducts', view: productList, keys: ['product_id'] },
  {
    summary: 'List the catalog, newest first',
    examples: [
      'products ls',
      'products ls --sku PKM-151-ETB',
      'products ls --all --output csv > catalog.csv',
    ],
  },
)
