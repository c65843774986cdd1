import type { productOperations } from '../../operations/products.ts'
import { inventoryLevel } from '../../resources/item.ts'
import {
  dimensions,
  dimensionsCreate,
  product,
  productCreate,
  productCsvResult,
  weight,
  weightCreate,
} from '../../resources/product.ts'
import { dimensionUnit, weightUnit } from '../../vocabulary.ts'
import { type DescribedOperations, link, object, type SchemaProse, words } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { describedPage } from './envelope.ts'

const size = {
  height: 'Height, greater than 0.',
  length: 'Length, greater than 0.',
  width: 'Width, greater than 0.',
  unit: 'The unit of length, width, and height.',
}

const mass = { value: 'Weight, greater than 0.', unit: 'The unit of the weight.' }

const sent = {
  name: 'The name of the product, as customers know it.',
  sku: 'Your stock-keeping unit: unique, compared byte for byte.',
  upc: 'The UPC barcode.',
  image_url: 'The http or https URL of a picture; stored as sent.',
  dimensions: 'The size of the packed product.',
  weight: 'The weight of the packed product.',
}

export const productFields = {
  name: sent.name,
  sku: sent.sku,
  upc: sent.upc,
  image_url: sent.image_url,
  length: size.length,
  width: size.width,
  height: size.height,
  dimension_unit: 'The unit of length, width, and height.',
  weight: mass.value,
  weight_unit: mass.unit,
}

const { product_id, created_at, updated_at, ...create } = example.product
const level = { sku: 'PKM-151-ETB', on_hand: 12, available: 9, allocated: 3 }

export const productSchemas: Record<string, SchemaProse> = {
  DimensionUnit: words(dimensionUnit(), 'A unit of length.', { in: 'inches', cm: 'centimetres' }),
  WeightUnit: words(weightUnit(), 'A unit of weight.', { oz: 'ounces', g: 'grams' }),
  Dimensions: object(dimensions(), 'The size of a packed product.', size, example.product.dimensions),
  DimensionsCreate: object(
    dimensionsCreate(),
    'The size of a packed product, as sent.',
    size,
    create.dimensions,
  ),
  Weight: object(weight(), 'The weight of a packed product.', mass, example.product.weight),
  WeightCreate: object(weightCreate(), 'The weight of a packed product, as sent.', mass, create.weight),
  ProductCreate: object(productCreate(), 'A product to create.', sent, create),
  Product: object(
    product(),
    'A product in the catalog.',
    {
      ...sent,
      product_id: 'Identifies the product.',
      created_at: 'When the product was created.',
      updated_at: 'When the product was last changed.',
    },
    example.product,
  ),
  ProductPage: describedPage(product(), 'products', example.product),
  ProductCsvResult: object(
    productCsvResult(),
    'The result of an import: every row is a product, an error, or a repeat.',
    {
      created: 'The created products, in row order.',
      errors: 'The rejected rows.',
      repeated:
        'Rows whose product is already in the catalog, unchanged; only under `Custody-Repeats: skip`.',
      totals: 'The number of rows by result.',
    },
    example.productResult,
  ),
  InventoryLevel: object(
    inventoryLevel(),
    'The stock level of a SKU.',
    {
      sku: 'The SKU.',
      on_hand: 'Units in the warehouse.',
      available: 'Units that can be ordered now.',
      allocated: 'Units reserved by an order or a transfer.',
    },
    level,
  ),
  InventoryLevelPage: describedPage(inventoryLevel(), 'inventory', level),
}

const file = `name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url
Pokémon Scarlet & Violet 151 Elite Trainer Box,PKM-151-ETB,820650853227,7.7,6.9,3.6,in,36.2,oz,https://cdn.partner.example/pkm-151-etb.webp
Pokémon Scarlet & Violet 151 Booster Bundle,PKM-151-BUN,,5.1,2.8,2.3,in,5.6,oz,
`

export const productsProse: DescribedOperations<keyof typeof productOperations> = {
  createProduct: {
    description:
      'Adds a product to the catalog. The SKU must be new. A product cannot be changed afterwards.',
    requests: { 'A sealed box': create },
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
    answer: level,
  },
}
