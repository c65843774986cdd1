import * as z from 'zod/mini'
import { filter, type Operation, paged } from '../operation.ts'
import { csvForm } from '../resources/error.ts'
import { inventoryLevel } from '../resources/item.ts'
import { product, productCreate, productCsvResult } from '../resources/product.ts'

export const productOperations = {
  createProduct: {
    method: 'POST',
    path: '/products',
    body: productCreate,
    success: 201,
    response: product,
    errors: [400, 401, 409, 429],
    summary: 'Create a catalog product',
  },
  importProductsCsv: {
    method: 'POST',
    path: '/products/csv',
    form: csvForm,
    success: 200,
    response: productCsvResult,
    errors: [400, 401, 429],
    repeats: true,
    summary: 'Create catalog products from CSV; invalid rows are returned, the others created',
  },
  listProducts: {
    path: '/products',
    ...paged({ sku: filter(() => z.string(), 'the product with exactly this SKU', 'PKM-151-ETB') }),
    response: product,
    errors: [400, 401, 429],
    summary: 'List catalog products, newest first',
  },
  getProduct: {
    method: 'GET',
    path: '/products/{product_id}',
    params: { product_id: 'uuid' },
    success: 200,
    response: product,
    errors: [400, 401, 404, 429],
    summary: 'Get a catalog product',
  },
  listInventory: {
    path: '/inventory',
    ...paged({ sku: filter(() => z.string(), 'the stock level of exactly this SKU', 'PKM-151-ETB') }),
    response: inventoryLevel,
    errors: [400, 401, 429],
    summary: 'List stock levels by SKU',
  },
} as const satisfies Record<string, Operation>
