import type { Preset } from './preset.ts'

export const cardLadder: Preset = {
  name: 'card-ladder',
  title: 'Card Ladder collection',
  kind: 'manifest',
  header: ['Player', 'Condition', 'Ladder ID', 'Slab Serial #'],
  columns: {
    description: { join: ['Year', 'Set', 'Player', 'Variation', 'Number'], otherwise: 'Card' },
    grader: { column: 'Condition', as: 'grader', beside: 'Slab Serial #' },
    // Card Ladder takes the zeros off at the left; Beckett prints ten digits.
    cert_number: {
      certificate: 'Slab Serial #',
      grader: 'Condition',
      padded: { from: 7, to: 10, graders: ['BGS', 'BVG', 'BCCG'] },
    },
    quantity: 'Quantity',
  },
}
