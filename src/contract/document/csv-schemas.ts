import { fulfillmentCsvRow, manifestCsvRow, productCsvRow } from './csv-rows.ts'
import { manifestFields } from './schema-prose/manifests.ts'
import { orderFields } from './schema-prose/orders.ts'
import { productFields } from './schema-prose/products.ts'
import * as example from './telling/examples.ts'
import { object, type Told } from './telling/told.ts'

/** The rows of the files, as the document describes them. */
export const csvSchemas: Record<string, Told> = {
  ManifestCsvRow: object(
    manifestCsvRow(),
    'A row of a manifest: one line. A product row gives `sku`; a slab row `grader` and `cert_number`, and its quantity is 1; never both. An empty cell means that nothing is given.',
    manifestFields,
    { external_ref: 'BS-1043-001', description: 'Charizard Holo #4', grader: 'PSA', cert_number: '65936798' },
    { description: 'Pokémon 151 Elite Trainer Box', sku: 'PKM-151-ETB', quantity: 2 },
  ),
  ProductCsvRow: object(
    productCsvRow(),
    'A row of a catalog: one product. An empty cell means that nothing is given.',
    productFields,
    {
      name: 'Pokémon Scarlet & Violet 151 Elite Trainer Box',
      sku: 'PKM-151-ETB',
      upc: '820650853227',
      length: 7.7,
      width: 6.9,
      height: 3.6,
      dimension_unit: 'in',
      weight: 36.2,
      weight_unit: 'oz',
      image_url: 'https://cdn.partner.example/pkm-151-etb.webp',
    },
  ),
  FulfillmentCsvRow: object(
    fulfillmentCsvRow(),
    'A row of orders: one shipment. It gives `qid`, or `sku` and `quantity`; never both. An empty cell means that nothing is given.',
    orderFields,
    {
      sku: 'PKM-151-ETB',
      quantity: 2,
      ...example.address,
      external_ref: 'WEB-20418',
      special_instructions: 'Signature required.',
      deliver_by: '2026-03-12',
    },
    { qid: 'Q-A30A-6MYT-36VN', ...example.secondAddress },
  ),
}
