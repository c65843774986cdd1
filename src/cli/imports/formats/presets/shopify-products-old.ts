import type { Preset } from './preset.ts'

export const shopifyProductsOld: Preset = {
  name: 'shopify-products-old',
  title: 'Shopify products, the older export',
  kind: 'products',
  header: ['Handle', 'Title', 'Vendor', 'Variant SKU', 'Variant Grams'],
  columns: {
    name: { join: ['Title', 'Option1 Value', 'Option2 Value', 'Option3 Value'], without: 'Default Title' },
    sku: 'Variant SKU',
    upc: { column: 'Variant Barcode', as: 'code' },
    weight: 'Variant Grams',
    weight_unit: { constant: 'g' },
    image_url: { first: ['Variant Image', 'Image Src'] },
  },
  group: { by: 'Handle', fill: ['Title', 'Image Src'] },
  skip: [{ column: 'Variant SKU', isEmpty: true, why: 'without a SKU' }],
}
