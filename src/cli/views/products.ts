import type { Product } from '../../contract/resources/product.ts'
import type { Column, View } from '../output/columns.ts'

const size: Column = { name: 'size', of: (product: Product) => sizeOf(product.dimensions) }
const weight: Column = {
  name: 'weight',
  of: ({ weight }: Product) => `${weight.value} ${weight.unit}`,
}

/** The columns of an import (4.2), and two that mark such a file, so that it can be imported again. */
const csv: readonly Column[] = [
  { name: 'sku' },
  { name: 'name' },
  { name: 'upc' },
  { name: 'length', of: ({ dimensions }: Product) => dimensions.length },
  { name: 'width', of: ({ dimensions }: Product) => dimensions.width },
  { name: 'height', of: ({ dimensions }: Product) => dimensions.height },
  { name: 'dimension_unit', of: ({ dimensions }: Product) => dimensions.unit },
  { name: 'weight', of: ({ weight }: Product) => weight.value },
  { name: 'weight_unit', of: ({ weight }: Product) => weight.unit },
  { name: 'image_url' },
  { name: 'product_id' },
  { name: 'created_at' },
]

export const productList: View = {
  csv,
  columns: [
    { name: 'sku', kind: 'id' },
    { name: 'name', kind: 'long' },
    { name: 'upc' },
    size,
    weight,
    { name: 'created_at', title: 'created', kind: 'time' },
  ],
}

export const productRecord: View = {
  columns: [
    { name: 'sku', kind: 'id' },
    { name: 'name' },
    { name: 'upc' },
    size,
    weight,
    { name: 'image_url' },
    { name: 'product_id' },
    { name: 'created_at', kind: 'time' },
    { name: 'updated_at', kind: 'time' },
  ],
}

/** Length × width × height, as the CSV's columns stand. */
function sizeOf({ length, width, height, unit }: Product['dimensions']): string {
  return `${length} × ${width} × ${height} ${unit}`
}
