import * as z from 'zod/mini'
import type { Operation } from '../operation.ts'
import { paging } from '../primitives.ts'
import { csvForm } from '../resources/error.ts'
import { inventoryLevel } from '../resources/item.ts'
import { product, productCreate, productCsvResult } from '../resources/product.ts'
import { sent } from '../schema.ts'

export const productOperations = {
  createProduct: {
    method: 'POST',
    path: '/products',
    body: productCreate,
    success: 201,
    response: product,
    errors: [400, 401, 409, 429],
    brief: true,
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
    method: 'GET',
    path: '/products',
    query: sent(() => ({ ...paging(), sku: z.optional(z.string()) })),
    success: 200,
    response: product,
    paged: true,
    smallResults: true,
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
    method: 'GET',
    path: '/inventory',
    query: sent(() => ({ ...paging(), sku: z.optional(z.string()) })),
    success: 200,
    response: inventoryLevel,
    paged: true,
    smallResults: true,
    errors: [400, 401, 429],
    summary: 'Stock levels by SKU',
  },
} as const satisfies Record<string, Operation>
