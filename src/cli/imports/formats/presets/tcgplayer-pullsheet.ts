import type { Preset } from './preset.ts'

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
