import type { Product } from '../../contract/resources/product.ts'
import type { Tx } from '../database.ts'
import { productColumns } from '../tables/products.ts'
import { differences, documentOf, type Finding, type Row, rowsOf } from './check-findings.ts'

export async function checkProducts(tx: Tx, scopeId: number): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const row of rowsOf<Row>(tx, scopeId, 'products', ['id', 'sku', 'doc'], ['id'])) {
    const key = String(row.id)
    const product = documentOf<Product>('products', key, row.doc ?? '', findings)
    if (!product) continue
    findings.push(...differences('products', key, row, productColumns(product)))
  }
  return findings
}
