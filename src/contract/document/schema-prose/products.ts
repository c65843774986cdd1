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
import * as example from '../telling/examples.ts'
import { object, type Told, words } from '../telling/told.ts'
import { pageTold } from './envelope.ts'

const size = {
  height: 'Height, above 0.',
  length: 'Length, above 0.',
  width: 'Width, above 0.',
  unit: 'In which unit the three are.',
}

const mass = { value: 'How much it weighs, above 0.', unit: 'In which unit.' }

const sent = {
  name: 'What it is called, as a customer would read it.',
  sku: 'Your stock-keeping unit: one product each, compared byte for byte.',
  upc: 'The bar code.',
  image_url: 'Where a picture is, http or https; kept as it is sent.',
  dimensions: 'The size of the packed product.',
  weight: 'The weight of the packed product.',
}

/** Of a row. */
export const productFields = {
  name: sent.name,
  sku: sent.sku,
  upc: sent.upc,
  image_url: sent.image_url,
  length: size.length,
  width: size.width,
  height: size.height,
  dimension_unit: 'In which unit the three are.',
  weight: mass.value,
  weight_unit: mass.unit,
}

const { product_id, created_at, updated_at, ...create } = example.product
const level = { sku: 'PKM-151-ETB', on_hand: 12, available: 9, allocated: 3 }

export const productExample = create
export const levelExample = level

export const productSchemas: Record<string, Told> = {
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
  ProductCreate: object(productCreate(), 'A product as it is sent.', sent, create),
  Product: object(
    product(),
    'A product of the catalog.',
    {
      ...sent,
      product_id: 'Names the product.',
      created_at: 'When it was created.',
      updated_at: 'When it was last changed.',
    },
    example.product,
  ),
  ProductPage: pageTold(product(), 'products', example.product),
  ProductCsvResult: object(
    productCsvResult(),
    'What became of the rows of a file: every row is a product, an error or a repetition.',
    {
      created: 'The products that were made, in the order of the rows.',
      errors: 'The rows that were not taken.',
      repeated: 'The rows that equal the catalog; only under `Custody-Repeats: skip`.',
      totals: 'How many rows there were of each.',
    },
    example.productResult,
  ),
  InventoryLevel: object(
    inventoryLevel(),
    'What there is of a SKU, wherever it lies.',
    {
      sku: 'The SKU.',
      on_hand: 'Units in the warehouse.',
      available: 'Units that can be ordered now.',
      allocated: 'Units in the warehouse that an order or a transfer holds.',
    },
    level,
  ),
  InventoryLevelPage: pageTold(inventoryLevel(), 'inventory', level),
}
