import type { BodyInput } from '../../src/contract/operations.ts'

/** The body of POST /products for a small box. */
export function box(sku = 'BOX'): BodyInput<'createProduct'> {
  return {
    name: 'Box',
    sku,
    dimensions: { height: 1, length: 1, width: 1, unit: 'in' },
    weight: { value: 1, unit: 'oz' },
  }
}
