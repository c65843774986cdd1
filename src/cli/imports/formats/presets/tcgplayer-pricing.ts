import type { Preset } from './preset.ts'

export const tcgplayerPricing: Preset = {
  name: 'tcgplayer-pricing',
  title: 'TCGplayer pricing',
  kind: 'manifest',
  header: ['TCGplayer Id', 'Product Line', 'TCG Market Price', 'Total Quantity', 'Add to Quantity'],
  columns: {
    external_ref: 'TCGplayer Id',
    description: { join: ['Set Name', 'Product Name', 'Number', 'Condition'], otherwise: 'Title' },
    quantity: 'Total Quantity',
  },
  skip: [{ column: 'Total Quantity', is: ['0', ''], why: 'of quantity 0' }],
}
