import type { Client } from '../../../client/client.ts'
import type { Product } from '../../../contract/resources/product.ts'
import { isUuid } from '../../../domain/uuid.ts'
import { CliError } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { productRecord } from '../../views/products.ts'

export const command: CommandFile<[string]> = {
  summary: 'Show a product',
  examples: ['products show PKM-151-ETB'],
  define: (show) => show.argument('<product>', 'Its SKU or id'),
  view: () => productRecord,
  run,
}

async function run(session: Session, given: string): Promise<void> {
  const { client } = await session.target()
  const product = await findProduct(client, given)
  await (await session.printer()).one(product)
}

async function findProduct(client: Client, given: string): Promise<Product> {
  const [bySku] = (await client.listProducts({ query: { sku: given } })).data.results
  if (bySku !== undefined) return bySku
  if (isUuid(given)) return (await client.getProduct({ params: { product_id: given } })).data
  throw new CliError('not_found', `There is no product with the SKU or id "${given}".`, {
    hint: 'See: custody products ls',
  })
}
