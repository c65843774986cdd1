import type { Product } from '../../contract/resources/product.ts'
import { type ColumnOf, columnsOf, type View } from '../output/columns.ts'

const size: ColumnOf<Product> = { name: 'size', of: ({ dimensions }) => sizeOf(dimensions) }
const weight: ColumnOf<Product> = {
  name: 'weight',
  of: ({ weight }) => `${weight.value} ${weight.unit}`,
}

/** The columns of an import (4.2), and two that mark such a file, so that it can be imported again. */
const csv = columnsOf<Product>(
  'sku',
  'name',
  'upc',
  { name: 'length', of: ({ dimensions }) => dimensions.length },
  { name: 'width', of: ({ dimensions }) => dimensions.width },
  { name: 'height', of: ({ dimensions }) => dimensions.height },
  { name: 'dimension_unit', of: ({ dimensions }) => dimensions.unit },
  { name: 'weight', of: ({ weight }) => weight.value },
  { name: 'weight_unit', of: ({ weight }) => weight.unit },
  'image_url',
  'product_id',
  'created_at',
)

export const productList: View = {
  csv,
  columns: columnsOf<Product>(
    { name: 'sku', kind: 'id' },
    { name: 'name', kind: 'long' },
    'upc',
    size,
    weight,
    { name: 'created_at', title: 'created' },
  ),
}

export const productRecord: View = {
  columns: columnsOf<Product>(
    { name: 'sku', kind: 'id' },
    'name',
    'upc',
    size,
    weight,
    'image_url',
    'product_id',
    'created_at',
    'updated_at',
  ),
}

function sizeOf({ length, width, height, unit }: Product['dimensions']): string {
  return `${length} × ${width} × ${height} ${unit}`
}
