import type { Preset } from './preset.ts'

export const psaCollection: Preset = {
  name: 'psa-collection',
  title: 'PSA My Collection',
  kind: 'manifest',
  header: ['Cert Number', 'Grade Issuer', 'Subject', 'Vault Status'],
  absent: '-',
  columns: {
    description: { join: ['Year', 'Set', 'Subject', 'Variety', 'Card Number'], otherwise: 'Item' },
    grader: { column: 'Grade Issuer', beside: 'Cert Number' },
    cert_number: 'Cert Number',
  },
  skip: [{ column: 'Sold Status', is: ['sold'], why: 'sold' }],
}
