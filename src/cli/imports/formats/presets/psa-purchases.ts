import type { Preset } from './preset.ts'

export const psaPurchases: Preset = {
  name: 'psa-purchases',
  title: 'PSA purchases',
  kind: 'manifest',
  header: ['cert number', 'listing title', 'price paid', 'was refunded?'],
  columns: {
    description: 'listing title',
    grader: { constant: 'PSA', beside: 'cert number' },
    cert_number: 'cert number',
  },
  skip: [
    {
      column: 'was refunded?',
      is: ['yes', 'true', 'y', '1', 'refunded'],
      unless: ['no', 'false', 'n', '0'],
      why: 'refunded',
    },
  ],
}
