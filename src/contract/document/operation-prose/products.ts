import type { productOperations } from '../../operations/products.ts'
import { type DescribedOperations, link } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { levelExample, productExample } from '../schema-prose/products.ts'

const file = `name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url
Pokémon Scarlet & Violet 151 Elite Trainer Box,PKM-151-ETB,820650853227,7.7,6.9,3.6,in,36.2,oz,https://cdn.partner.example/pkm-151-etb.webp
Pokémon Scarlet & Violet 151 Booster Bundle,PKM-151-BUN,,5.1,2.8,2.3,in,5.6,oz,
`

export const productsProse: DescribedOperations<keyof typeof productOperations> = {
  createProduct: {
    description:
      'Adds a product to the catalog. The SKU must be new. A product cannot be changed afterwards.',
    requests: { 'A sealed box': productExample },
    answer: example.product,
    conflict: {
      message: 'The catalog already has a product with the SKU PKM-151-ETB.',
      extra: { sku: 'PKM-151-ETB' },
    },
    links: [link('getProduct', { product_id: '$response.body#/product_id' }, 'Get the product.')],
  },
  importProductsCsv: {
    description:
      'Adds the products of a CSV file to the catalog. Each row is validated on its own: valid rows are created, and the others are returned in `errors`. A row with an existing SKU fails with `state_conflict`. Under `Custody-Repeats: skip`, it fails only if the product differs; otherwise the row is listed in `repeated`.',
    requests: { 'Two products, one of which already exists': { file } },
    answer: example.productResult,
  },
  listProducts: {
    description: 'Lists the products in the catalog, newest first.',
    answer: example.product,
  },
  getProduct: { description: 'Returns a catalog product.', answer: example.product },
  listInventory: {
    description:
      'Lists stock levels, sorted by SKU: every SKU in the catalog, including those without stock, and every SKU of present or past slabs.',
    answer: levelExample,
  },
}
