import * as z from 'zod/mini'
import { certsAtOnceMax } from '../limits.ts'
import { filter, paged, type Row, shapeOf } from '../operation.ts'
import { dateTime, sent, uuid } from '../primitives.ts'
import { intakeEvent, item, itemSummary } from '../resources/item.ts'
import { slabs } from '../resources/manifest.ts'
import { itemAdvance } from '../resources/sandbox.ts'
import { ids } from '../sample-ids.ts'
import { knownItemStatus } from '../vocabulary.ts'

const text = () => z.string()
const from = '2026-03-01T00:00:00.000Z'
const until = '2026-04-01T00:00:00.000Z'
const anySpelling = 'in any spelling or as the URL of its QR code'

const itemFilters = {
  status: filter(knownItemStatus, 'items with this status', 'available'),
  sku: filter(text, 'items whose SKU contains this text, ignoring case', '151-ETB'),
  cert_number: filter(text, `slabs with this certificate, ${anySpelling}`, '65936798'),
  grader: filter(text, 'slabs graded by this company', 'PSA'),
  manifest_id: filter(uuid, 'items that matched a line of this manifest', ids.manifest),
  search: filter(text, 'items whose name or SKU contains this text, ignoring case', 'charizard'),
  intake_after: filter(dateTime, 'items received at this time or later', from),
  intake_before: filter(dateTime, 'items received before this time', until),
}

const itemOrder = {
  sort_by: {
    schema: () => z._default(z.enum(['intake_at', 'updated_at']), 'intake_at'),
    words: 'Time to sort by',
    example: 'updated_at',
  },
  sort_dir: {
    schema: () => z._default(z.enum(['asc', 'desc']), 'desc'),
    words: 'Sort direction',
    example: 'desc',
  },
}

/** A JSON array, so that many certificates need one request. */
const slabFilters = {
  cert_numbers: filter(
    text,
    `slabs with one of these certificates, up to ${certsAtOnceMax} in a JSON array, in any spelling`,
    '["65936798","65936799"]',
  ),
}

export const itemOperations = {
  listItems: {
    path: '/items',
    ...paged(itemFilters, itemOrder),
    response: item,
    summary: 'List items in custody',
  },
  getItem: {
    method: 'GET',
    path: '/items/{qid}',
    opaque: true,
    response: item,
    summary: 'Get an item',
  },
  getItemSummary: {
    method: 'GET',
    path: '/items/summary',
    response: itemSummary,
    namesPartner: true,
    summary: 'Count items by status',
  },
  listIntakes: {
    path: '/intakes',
    ...paged({
      intake_after: filter(dateTime, 'arrivals at this time or later', from),
      intake_before: filter(dateTime, 'arrivals before this time', until),
      manifest_id: filter(uuid, 'arrivals of this manifest', ids.manifest),
      cert_number: filter(text, `arrivals of slabs with this certificate, ${anySpelling}`, '65936798'),
    }),
    response: intakeEvent,
    summary: 'List intake events, newest first',
  },
  findSlabs: {
    method: 'GET',
    path: '/slabs',
    filters: slabFilters,
    query: sent(() => shapeOf(slabFilters)),
    response: slabs,
    extension: true,
    summary: 'Find slabs by certificate',
  },
  advanceItem: {
    method: 'POST',
    path: '/sandbox/items/{qid}/advance',
    opaque: true,
    body: itemAdvance,
    response: item,
    sandboxOnly: true,
    summary: 'Move a sandbox item to a status, with the same events as in production',
  },
} as const satisfies Record<string, Row>
