import type { Client } from '../../../client/client.ts'
import type { Product } from '../../../contract/resources/product.ts'
import { isUuid } from '../../../domain/uuid.ts'
import { CliError } from '../../base/cli-error.ts'
import { showCommand } from '../../list/several.ts'
import { productList, productRecord } from '../../views/products.ts'

export const command = showCommand(
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
