import type { Preset } from './preset.ts'

export const whatnotOrders: Preset = {
  name: 'whatnot-orders',
  title: 'Whatnot orders',
  kind: 'manifest',
  header: ['order numeric id', 'product name', 'order status', 'sold price'],
  columns: {
    external_ref: { first: ['order numeric id', 'order id'] },
    description: 'product name',
    quantity: 'quantity',
  },
  skip: [
    { column: 'order status', is: ['cancelled', 'canceled'], why: 'cancelled' },
    { column: 'order status', is: ['refunded', 'failed'], why: 'refunded' },
  ],
}
