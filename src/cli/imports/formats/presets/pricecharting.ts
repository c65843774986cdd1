import type { Preset } from './preset.ts'

export const pricecharting: Preset = {
  name: 'pricecharting',
  title: 'PriceCharting collection',
  kind: 'manifest',
  header: ['product-name', 'console-name', 'grading-company', 'grading-cert-id'],
  columns: {
    external_ref: 'id',
    description: { join: ['console-name', 'product-name'] },
    grader: { column: 'grading-company', beside: 'grading-cert-id' },
    cert_number: 'grading-cert-id',
    quantity: 'quantity',
  },
}
