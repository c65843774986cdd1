import * as z from 'zod/mini'
import { filter, paged, type Row } from '../operation.ts'
import { csvForm } from '../resources/error.ts'
import { inventoryLevel } from '../resources/item.ts'
import { product, productCreate, productCsvResult } from '../resources/product.ts'

export const productOperations = {
  createProduct: {
    method: 'POST',
    path: '/products',
    body: productCreate,
    creates: true,
    response: product,
    conflicts: true,
    summary: 'Create a catalog product',
  },
  importProductsCsv: {
    method: 'POST',
    path: '/products/csv',
    form: csvForm,
    response: productCsvResult,
    repeats: true,
    summary: 'Create catalog products from CSV; invalid rows are returned, the others created',
  },
  listProducts: {
    path: '/products',
    ...paged({ sku: filter(() => z.string(), 'the product with exactly this SKU', 'PKM-151-ETB') }),
    response: product,
    summary: 'List catalog products, newest first',
  },
  getProduct: {
    method: 'GET',
    path: '/products/{product_id}',
    response: product,
    summary: 'Get a catalog product',
  },
  listInventory: {
    path: '/inventory',
    ...paged({ sku: filter(() => z.string(), 'the stock level of exactly this SKU', 'PKM-151-ETB') }),
    response: inventoryLevel,
    summary: 'List stock levels by SKU',
  },
} as const satisfies Record<string, Row>
