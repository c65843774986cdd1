import type { Preset } from './preset.ts'

export const psaOrder: Preset = {
  name: 'psa-order',
  title: 'PSA finished order',
  kind: 'manifest',
  header: ['Cert #', 'Type', 'Description', 'Grade', 'After Service'],
  columns: {
    description: 'Description',
    grader: { constant: 'PSA', beside: 'Cert #' },
    cert_number: 'Cert #',
  },
}
