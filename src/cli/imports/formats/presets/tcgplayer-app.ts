import type { Preset } from './preset.ts'

export const tcgplayerApp: Preset = {
  name: 'tcgplayer-app',
  title: 'TCGplayer app',
  kind: 'manifest',
  header: [
    'TCGplayer Id',
    'Product Line',
    'TCG Market Price',
    'Total Quantity',
    'Add to Quantity',
    'Product ID',
    'Printing',
  ],
  columns: {
    external_ref: 'TCGplayer Id',
    description: {
      join: ['Set Name', 'Product Name', 'Printing', 'Number', 'Condition'],
      otherwise: 'Title',
    },
    // What was scanned; the total is what the shop had before.
    quantity: 'Add to Quantity',
  },
  skip: [{ column: 'Add to Quantity', is: ['0', ''], why: 'of quantity 0' }],
}
