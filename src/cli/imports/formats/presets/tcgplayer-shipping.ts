import type { Preset } from './preset.ts'

export const tcgplayerShipping: Preset = {
  name: 'tcgplayer-shipping',
  title: 'TCGplayer shipping export',
  kind: 'fulfillments',
  header: ['Order #', 'FirstName', 'LastName', 'PostalCode', 'Value Of Products'],
  columns: {},
  refused: 'has addresses without line items; it is only useful joined with a PullSheet',
}
