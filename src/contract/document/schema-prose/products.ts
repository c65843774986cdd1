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
import { object, type SchemaProse, words } from '../examples/described.ts'
import * as example from '../examples/examples.ts'
import { describedPage } from './envelope.ts'

const size = {
  height: 'Height, above 0.',
  length: 'Length, above 0.',
  width: 'Width, above 0.',
  unit: 'The unit of the three.',
}

const mass = { value: 'The weight, above 0.', unit: 'The unit.' }

const sent = {
  name: 'Its name, as customers know it.',
  sku: 'Your stock-keeping unit: unique, compared byte for byte.',
  upc: 'The bar code.',
  image_url: 'Address of a picture, http or https; stored as sent.',
  dimensions: 'The size of the packed product.',
  weight: 'The weight of the packed product.',
}

/** Descriptions of a row's fields. */
export const productFields = {
  name: sent.name,
  sku: sent.sku,
  upc: sent.upc,
  image_url: sent.image_url,
  length: size.length,
  width: size.width,
  height: size.height,
  dimension_unit: 'The unit of the three.',
  weight: mass.value,
  weight_unit: mass.unit,
}

const { product_id, created_at, updated_at, ...create } = example.product
const level = { sku: 'PKM-151-ETB', on_hand: 12, available: 9, allocated: 3 }

export const productExample = create
export const levelExample = level

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
  ProductCreate: object(productCreate(), 'A product as sent.', sent, create),
  Product: object(
    product(),
    'A product of the catalog.',
    {
      ...sent,
      product_id: 'Identifies the product.',
      created_at: 'When it was created.',
      updated_at: 'When it was last changed.',
    },
    example.product,
  ),
  ProductPage: describedPage(product(), 'products', example.product),
  ProductCsvResult: object(
    productCsvResult(),
    'The result of a file: every row is a product, an error, or a repeat.',
    {
      created: 'The created products, in the order of the rows.',
      errors: 'The rejected rows.',
      repeated: 'Rows that equal the catalog; only under `Custody-Repeats: skip`.',
      totals: 'The number of rows by result.',
    },
    example.productResult,
  ),
  InventoryLevel: object(
    inventoryLevel(),
    'The stock of a SKU.',
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
