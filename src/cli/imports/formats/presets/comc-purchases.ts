import type { Preset } from './preset.ts'

export const comcPurchases: Preset = {
  name: 'comc-purchases',
  title: 'COMC purchases',
  kind: 'manifest',
  header: ['ItemID', 'Set Name', 'Description', 'Purchased From'],
  columns: {
    external_ref: 'ItemID',
    description: { join: ['Set Name', 'Description'] },
  },
}
