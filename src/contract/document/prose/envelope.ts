import type * as z from 'zod/mini'
import { faultMessage } from '../../call.ts'
import { repeatsDaysDefault } from '../../limits.ts'
import { pageOf } from '../../page.ts'
import {
  csvBatchTotals,
  csvRepeatedRow,
  csvRowError,
  errorBody,
  internalError,
} from '../../resources/error.ts'
import { openApi } from '../../resources/sandbox.ts'
import { errorCode, repeatedBy } from '../../vocabulary.ts'
import { object, type SchemaProse, words } from '../examples/described.ts'
import * as example from '../examples/examples.ts'

export function onlyPage<T>(result: T) {
  return {
    page_size: 25,
    count: 1,
    total: 1,
    current_page_number: 1,
    next_page_number: null,
    next: null,
    previous: null,
    previous_page_number: null,
    results: [result],
  }
}

/** The envelope of a list (2.13). */
export function describedPage<S extends z.ZodMiniType>(
  result: S,
  what: string,
  example: z.input<S>,
): SchemaProse {
  const words = what === 'inventory' ? 'stock levels' : what.replaceAll('-', ' ')
  const numbered = {
    total: 60,
    current_page_number: 2,
    next_page_number: 3,
    next: `https://custody.example/v1/${what}?page=3`,
    previous: `https://custody.example/v1/${what}?page=1`,
    previous_page_number: 1,
  }
  return {
    schema: pageOf(result),
    description: `A page of ${words}.`,
    fields: {
      page_size: 'The requested number of results per page.',
      count: 'The number of results on this page.',
      total: 'The number of results on all pages.',
      current_page_number: 'The number of this page, starting at 1.',
      next_page_number: 'The number of the next page; null on the last page.',
      next: 'The URL of the next page, with the same filters; null on the last page.',
      previous: 'The URL of the previous page; null on the first page.',
      previous_page_number: 'The number of the previous page; null on the first page.',
      results: `The ${words} on this page.`,
    },
    examples: [onlyPage(example), { ...onlyPage(example), ...numbered }],
  }
}

const details = {
  message: 'A human-readable description of the error.',
  extra:
    'Details for programs: `fields` lists invalid fields, `availability` the stock, `status` the state that prevents the request, and `fulfillment_id` or `manifest_id` the resource that an earlier request created.',
}

export const envelopeSchemas: Record<string, SchemaProse> = {
  ErrorCode: words(errorCode(), 'Machine-readable error code. Stable within v1.', {
    validation_error: 'the request is invalid; `extra.fields` names the invalid fields',
    state_conflict: 'the state of the resource prevents the request',
    environment_mismatch: 'the key belongs to the other environment',
    unsupported_destination: 'this country is not served',
    invalid_api_key: 'the key is missing, unknown, expired, or revoked',
    not_found: 'no such resource for this partner in this environment',
    rate_limited: 'too many requests, or another limit was exceeded',
  }),
  Error: object(
    errorBody(),
    'Explains why a request was not carried out.',
    { code: 'Machine-readable error code.', ...details },
    {
      code: 'validation_error',
      message: 'reference must not be blank.',
      extra: { fields: { reference: ['must not be blank'] } },
    },
  ),
  InternalError: object(
    internalError(),
    'An error in the service, not in the request.',
    { code: 'Always `internal_error`.', ...details },
    {
      code: 'internal_error',
      message: faultMessage,
      extra: { request_id: example.ids.request },
    },
  ),
  CsvRowError: object(
    csvRowError(),
    'A rejected row of an uploaded file. The other rows are not affected.',
    {
      row: 'The number of the data row; the first row below the header is 1.',
      code: 'Machine-readable error code.',
      fields: 'The invalid columns, each with the reasons it was rejected.',
      message: 'All errors of the row in one human-readable sentence.',
    },
    example.rowError,
  ),
  CsvBatchTotals: object(
    csvBatchTotals(),
    'The number of rows in an uploaded file, by result.',
    {
      created: 'Accepted rows.',
      failed: 'Rejected rows.',
      repeated: 'Rows that an earlier request already carried out; only under `Custody-Repeats: skip`.',
      submitted: 'All rows of the file.',
    },
    { created: 2, failed: 1, submitted: 3 },
    { created: 2, failed: 1, repeated: 4, submitted: 7 },
  ),
  RepeatedBy: words(repeatedBy(), 'How a row was recognised as a repeat.', {
    reference: 'an earlier order has the same `external_ref` and item',
    content: `the row has no \`external_ref\`, and all its fields equal those of an order from the last ${repeatsDaysDefault} days`,
    sku: 'the catalog has a product with the same SKU and the same fields',
  }),
  CsvRepeatedRow: object(
    csvRepeatedRow(),
    'A row that an earlier request already carried out. Nothing was created again. Only under `Custody-Repeats: skip`.',
    {
      row: 'The number of the data row; the first row below the header is 1.',
      id: 'The id of the fulfillment or product that the row repeats.',
      status: 'The current status of the fulfillment; null for a product.',
      created_at: 'When the fulfillment or product was created.',
      by: 'How the row was recognised as a repeat.',
    },
    example.repeatedRow,
  ),
  OpenApiDocument: object(
    openApi(),
    'This document.',
    { openapi: 'The version of the OpenAPI Specification that the document follows.' },
    { openapi: '3.1.0' },
  ),
}
