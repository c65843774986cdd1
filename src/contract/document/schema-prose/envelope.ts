import type * as z from 'zod/mini'
import { faultMessage } from '../../call.ts'
import { repeatsDaysDefault } from '../../limits.ts'
import {
  csvBatchTotals,
  csvRepeatedRow,
  csvRowError,
  errorBody,
  internalError,
} from '../../resources/error.ts'
import { pageOf } from '../../resources/page.ts'
import { openApi } from '../../resources/sandbox.ts'
import { errorCode, repeatedBy } from '../../vocabulary.ts'
import { object, type SchemaProse, words } from '../examples/described.ts'
import * as example from '../examples/examples.ts'

/** The only page of a list with one result. */
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
    description: `A page of ${what}.`,
    fields: {
      page_size: 'The results that a page may have, as asked for.',
      count: 'The results of this page.',
      total: 'The results of all pages.',
      current_page_number: 'This page; the first is 1.',
      next_page_number: 'The page after this one; null on the last.',
      next: 'The address of the page after this one, with the same filters.',
      previous: 'The address of the page before this one.',
      previous_page_number: 'The page before this one; null on the first.',
      results: `The ${what}.`,
    },
    examples: [onlyPage(example), { ...onlyPage(example), ...numbered }],
  }
}

const said = {
  message: 'What is wrong, for a person to read.',
  extra:
    'More about it, for a program: `fields` names faulty fields, `availability` the stock, `status` what stands in the way, `fulfillment_id` or `manifest_id` what was created before.',
}

export const envelopeSchemas: Record<string, SchemaProse> = {
  ErrorCode: words(errorCode(), 'What is wrong, for a program. The words are stable within v1.', {
    validation_error: 'the request has faults; `extra.fields` names them',
    state_conflict: 'the state of the resource prevents it',
    environment_mismatch: 'the key is of the other environment',
    unsupported_destination: 'nothing is sent to this country',
    invalid_api_key: 'the key is missing, unknown, expired or revoked',
    not_found: 'no such resource for this partner and environment',
    rate_limited: 'too much was asked for at once',
  }),
  Error: object(
    errorBody(),
    'Why a request was not carried out.',
    { code: 'What is wrong, for a program.', ...said },
    {
      code: 'validation_error',
      message: 'reference must not be blank.',
      extra: { fields: { reference: ['must not be blank'] } },
    },
  ),
  InternalError: object(
    internalError(),
    'The service is at fault, not the request.',
    { code: 'Always `internal_error`.', ...said },
    {
      code: 'internal_error',
      message: faultMessage,
      extra: { request_id: example.ids.request },
    },
  ),
  CsvRowError: object(
    csvRowError(),
    'Why a row of an uploaded file was not taken. The other rows are not affected.',
    {
      row: 'The data row; the first below the header is 1.',
      code: 'What is wrong, for a program.',
      fields: 'Every faulty column, with what is wrong with it.',
      message: 'All of it in one sentence.',
    },
    example.rowError,
  ),
  CsvBatchTotals: object(
    csvBatchTotals(),
    'Rows of an uploaded file.',
    {
      created: 'Rows that were taken.',
      failed: 'Rows that were not.',
      repeated: 'Rows that an earlier request carried out; only under `Custody-Repeats: skip`.',
      submitted: 'All of them.',
    },
    { created: 2, failed: 1, submitted: 3 },
    { created: 2, failed: 1, repeated: 4, submitted: 7 },
  ),
  RepeatedBy: words(repeatedBy(), 'How a row was found to repeat an earlier one.', {
    reference: 'an order has the same `external_ref` and item',
    content: `without an \`external_ref\`: every field equals an order of the last ${repeatsDaysDefault} days`,
    sku: 'a product of the catalog has the same SKU, and equals the row',
  }),
  CsvRepeatedRow: object(
    csvRepeatedRow(),
    'A row that an earlier request carried out: nothing was done again. Only under `Custody-Repeats: skip`.',
    {
      row: 'The data row; the first below the header is 1.',
      id: 'The shipment, or the product, that the row repeats.',
      status: 'How far the shipment is now; null for a product.',
      created_at: 'When it was created.',
      by: 'How it was found.',
    },
    example.repeatedRow,
  ),
  OpenApiDocument: object(
    openApi(),
    'This document.',
    { openapi: 'The version of OpenAPI in which it is written.' },
    { openapi: '3.1.0' },
  ),
}
