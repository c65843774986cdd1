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
