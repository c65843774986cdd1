import type { Preset } from './preset.ts'

export const ebayPurchases: Preset = {
  name: 'ebay-purchases',
  title: 'eBay purchases',
  kind: 'manifest',
  header: ['Order Number', 'Item ID', 'Seller', 'Item Name', 'View Order Detail'],
  columns: {
    external_ref: { order: 'Order Number', line: ['Item ID'] },
    description: 'Item Name',
  },
  group: { by: 'Order Number', fill: [] },
}
