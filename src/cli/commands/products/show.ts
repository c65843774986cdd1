import type { Client } from '../../../client/client.ts'
import type { Product } from '../../../contract/resources/product.ts'
import { isUuid } from '../../../domain/uuid.ts'
import { CliError } from '../../base/cli-error.ts'
import type { CommandFile, Outcome, Session } from '../../command.ts'
import { forEachNamed, namesFrom, oneOrMany } from '../../list/several.ts'
import { productList, productRecord } from '../../views/products.ts'

export const command: CommandFile<[string[]]> = {
  summary: 'Show products',
  examples: ['products show PKM-151-ETB', 'products show PKM-151-ETB PKM-PRE-ETB'],
  define: (show) => show.argument('<product...>', 'SKUs or ids; - for lines of stdin'),
  view: (_format, given) => oneOrMany(given, productRecord, productList),
  run,
}

async function run(session: Session, given: string[]): Promise<Outcome> {
  const named = await namesFrom(session, given)
  const { client } = await session.target()
  return forEachNamed(session, named, (name) => findProduct(client, name))
}

async function findProduct(client: Client, given: string): Promise<Product> {
  const [bySku] = (await client.listProducts({ query: { sku: given } })).data.results
  if (bySku !== undefined) return bySku
  if (isUuid(given)) return (await client.getProduct({ params: { product_id: given } })).data
  throw new CliError('not_found', `There is no product with the SKU or id "${given}".`, {
    hint: 'See: custody products ls',
  })
}
