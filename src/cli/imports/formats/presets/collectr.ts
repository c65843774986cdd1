import type { Preset } from './preset.ts'

export const collectr: Preset = {
  name: 'collectr',
  title: 'Collectr portfolio',
  kind: 'manifest',
  header: ['Portfolio Name', 'Product Name', 'Card Condition', 'Average Cost Paid'],
  // It has no certificates: graded cards are matched by their description too.
  columns: {
    description: { join: ['Set', 'Product Name', 'Variance', 'Card Number'] },
    quantity: 'Quantity',
  },
  skip: [{ column: 'Watchlist', is: ['true', 'yes', '1'], why: 'on the watchlist' }],
}
