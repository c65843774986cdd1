import type { Preset } from './preset.ts'

export const ebayListings: Preset = {
  name: 'ebay-listings',
  title: 'eBay active listings',
  kind: 'manifest',
  header: ['Item number', 'Title', 'Available quantity', 'Start price'],
  columns: {
    external_ref: 'Item number',
    description: { join: ['Title', 'Variation details'] },
    grader: {
      column: 'CD:Professional Grader - (ID: 27501)',
      as: 'grader',
      beside: 'CDA:Certification Number - (ID: 27503)',
    },
    cert_number: 'CDA:Certification Number - (ID: 27503)',
    quantity: 'Available quantity',
  },
  skip: [{ column: 'Available quantity', is: ['0', ''], why: 'of quantity 0' }],
}
