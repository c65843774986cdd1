import * as z from 'zod/mini'
import type { Operation } from '../operation.ts'
import { dateTime, paging, uuid } from '../primitives.ts'
import { intakeEvent, item, itemSummary } from '../resources/item.ts'
import { itemAdvance } from '../resources/sandbox.ts'
import { sent } from '../schema.ts'
import { knownItemStatus } from '../vocabulary.ts'

export const itemOperations = {
  listItems: {
    method: 'GET',
    path: '/items',
    query: sent(() => ({
      ...paging(),
      status: z.optional(knownItemStatus()),
      sku: z.optional(z.string()),
      cert_number: z.optional(z.string()),
      grader: z.optional(z.string()),
      manifest_id: z.optional(uuid()),
      search: z.optional(z.string()),
      intake_after: z.optional(dateTime()),
      intake_before: z.optional(dateTime()),
      sort_by: z._default(z.enum(['intake_at', 'updated_at']), 'intake_at'),
      sort_dir: z._default(z.enum(['asc', 'desc']), 'desc'),
    })),
    success: 200,
    response: item,
    paged: true,
    errors: [400, 401, 429],
    smallResults: true,
    summary: 'List the items held',
  },
  getItem: {
    method: 'GET',
    path: '/items/{qid}',
    params: { qid: 'opaque' },
    success: 200,
    response: item,
    errors: [401, 404, 429],
    summary: 'Get an item',
  },
  getItemSummary: {
    method: 'GET',
    path: '/items/summary',
    success: 200,
    response: itemSummary,
    errors: [401, 429],
    summary: 'Item counts by status',
  },
  listIntakes: {
    method: 'GET',
    path: '/intakes',
    query: sent(() => ({
      ...paging(),
      intake_after: z.optional(dateTime()),
      intake_before: z.optional(dateTime()),
      manifest_id: z.optional(uuid()),
      cert_number: z.optional(z.string()),
    })),
    success: 200,
    response: intakeEvent,
    paged: true,
    errors: [400, 401, 429],
    summary: 'List intake events, newest first',
  },
  advanceItem: {
    method: 'POST',
    path: '/sandbox/items/{qid}/advance',
    params: { qid: 'opaque' },
    body: itemAdvance,
    success: 200,
    response: item,
    errors: [400, 401, 404, 429],
    sandboxOnly: true,
    brief: true,
    summary: 'Walk a fixture item to a status, emitting what production would',
  },
} as const satisfies Record<string, Operation>
