import type { Preset } from './preset.ts'

export const shopifyProducts: Preset = {
  name: 'shopify-products',
  title: 'Shopify products',
  kind: 'products',
  header: ['Title', 'URL handle', 'Vendor', 'SKU', 'Weight value (grams)'],
  columns: {
    name: { join: ['Title', 'Option1 value', 'Option2 value', 'Option3 value'], without: 'Default Title' },
    sku: 'SKU',
    upc: { column: 'Barcode', as: 'code' },
    weight: 'Weight value (grams)',
    weight_unit: { constant: 'g' },
    image_url: { first: ['Variant image URL', 'Product image URL'] },
  },
  group: { by: 'URL handle', fill: ['Title', 'Product image URL'] },
  skip: [{ column: 'SKU', isEmpty: true, why: 'without a SKU' }],
}
