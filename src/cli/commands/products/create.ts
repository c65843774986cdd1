import type { BodyInput } from '../../../contract/operations.ts'
import type { CommandFile } from '../../command.ts'
import { type BodyOptions, bodyFrom, type Flag, withBodyFlags } from '../../command-line/body-flags.ts'
import { productRecord } from '../../views/products.ts'

const flags: readonly Flag[] = [
  { path: 'name', about: 'Name as customers know it', isRequired: true },
  { path: 'sku', about: 'Your SKU, unique in your catalog', isRequired: true },
  { path: 'dimensions.length', kind: 'number', about: 'Length', isRequired: true },
  { path: 'dimensions.width', kind: 'number', about: 'Width', isRequired: true },
  { path: 'dimensions.height', kind: 'number', about: 'Height', isRequired: true },
  {
    path: 'dimensions.unit',
    flag: 'dimension-unit',
    about: 'Unit of the dimensions: in or cm',
    isRequired: true,
  },
  { path: 'weight.value', flag: 'weight', kind: 'number', about: 'Weight', isRequired: true },
  { path: 'weight.unit', flag: 'weight-unit', about: 'Unit of the weight: oz or g', isRequired: true },
  { path: 'upc', about: 'Barcode number (UPC)' },
  { path: 'image_url', about: 'Address of a picture' },
]

export const command: CommandFile<[string | undefined, BodyOptions]> = {
  summary: 'Create a catalog product',
  details: "Takes flags, or a JSON file in the interface's form; flags override the file.",
  examples: [
    'products create --name "151 Elite Trainer Box" --sku PKM-151-ETB --length 7.7 --width 6.9 --height 3.6 --dimension-unit in --weight 36.2 --weight-unit oz',
    'products create product.json',
  ],
  define: (create) => withBodyFlags(create, flags),
  view: () => productRecord,
  async run(session, file, options) {
    const body = (await bodyFrom(session.io, file, flags, options)) as BodyInput<'createProduct'>
    const { client } = await session.targetToWrite()
    const { data } = await client.createProduct({ body, idempotencyKey: options.idempotencyKey })
    await (await session.printer()).one(data)
  },
}
