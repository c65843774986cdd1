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

export const tcgplayerPullsheet: Preset = {
  name: 'tcgplayer-pullsheet',
  title: 'TCGplayer PullSheet',
  kind: 'products',
  header: ['Product Line', 'Product Name', 'SkuId', 'Order Quantity'],
  columns: {
    name: { join: ['Set', 'Product Name', 'Number', 'Condition'] },
    sku: 'SkuId',
    image_url: 'Main Photo URL',
  },
  trailer: ['orders contained in pull sheet'],
}
