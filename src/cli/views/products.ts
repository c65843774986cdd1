import type { Product } from '../../contract/resources/product.ts'
import type { Column, View } from '../output/columns.ts'

const size: Column = { name: 'size', of: (product: Product) => sizeOf(product.dimensions) }
const weight: Column = {
  name: 'weight',
  of: ({ weight }: Product) => `${weight.value} ${weight.unit}`,
}

export const productList: View = {
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

export function productKey(product: Product): string {
  return product.product_id
}

/** Length × width × height, as the CSV's columns stand. */
function sizeOf({ length, width, height, unit }: Product['dimensions']): string {
  return `${length} × ${width} × ${height} ${unit}`
}
