import { faultMessage, invalidKeyMessage, unavailableMessage, unchangedMessage } from '../call.ts'
import { faultsMax, linesPageMax, pageSizeMax } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { own } from '../own.ts'
import { pageOf } from '../page.ts'
import type { AnyDescribedOperation, LinkProse } from './examples/described.ts'
import { ids } from './examples/examples.ts'
import { type HeaderName, headersNamed, headersOf, replayHeaders, usual } from './headers.ts'
import { onlyPage } from './prose/envelope.ts'
import { type Schema, schemaOf, schemaProse } from './schemas.ts'

type ErrorAnswer = {
  status: number
  description: string
  headers: readonly HeaderName[]
  example: { code: string; message: string; extra: Record<string, unknown> }
}

const pageFault = faultExample('page_size', `must be at most ${pageSizeMax}`)

const errorAnswers: Record<string, ErrorAnswer> = {
  BadRequest: {
    status: 400,
    description: `Validation failed. \`extra.fields\` lists the invalid fields of the request (at most ${faultsMax}) and why each was rejected.`,
    headers: [...usual, 'Vary'],
    example: pageFault,
  },
  Unauthorized: {
    status: 401,
    description:
      'The key is missing, unknown, expired, or revoked (`invalid_api_key`), or belongs to the other environment (`environment_mismatch`).',
    headers: [...usual, 'Vary', 'WWW-Authenticate'],
    example: { code: 'invalid_api_key', message: invalidKeyMessage, extra: {} },
  },
  NotFound: {
    status: 404,
    description:
      'No such resource for this partner in this environment. The response is the same for a resource of another partner.',
    headers: [...usual, 'Vary'],
    example: { code: 'not_found', message: 'No such resource.', extra: {} },
  },
  NotAcceptable: {
    status: 406,
    description: '`Accept-Encoding` excludes every available encoding of the response. Nothing was done.',
    headers: [...usual, 'Vary'],
    example: faultExample('Accept-Encoding', 'excludes every encoding of this response'),
  },
  Conflict: {
    status: 409,
    description:
      'The state of the resource prevents the request. Retrying does not help until the state has changed.',
    headers: [...usual, 'Vary', ...replayHeaders],
    example: {
      code: 'state_conflict',
      message: 'This manifest is already closed.',
      extra: { status: 'reconciled' },
    },
  },
  TooManyRequests: {
    status: 429,
    description:
      'The key made too many requests or exceeded another limit, which `extra.limit` names. Nothing was done; retry after `Retry-After`.',
    headers: [...usual, 'Vary', 'Retry-After'],
    example: {
      code: 'rate_limited',
      message: 'Too many requests with this API key; try again in 1 s.',
      extra: { retry_after_seconds: 1 },
    },
  },
  InternalServerError: {
    status: 500,
    description:
      'The service failed. `extra.request_id` identifies the request. Retrying with the same `Idempotency-Key` is safe.',
    headers: usual,
    example: internalFault(faultMessage),
  },
  ServiceUnavailable: {
    status: 503,
    description:
      'The service is temporarily unavailable. Retry after `Retry-After`, with the same `Idempotency-Key`. `extra.outcome` is `unknown` if the change may have been made.',
    headers: [...usual, 'Retry-After'],
    example: internalFault(`${unavailableMessage} ${unchangedMessage}`),
  },
}

export function errorResponses(): Record<string, Schema> {
  const answers = Object.entries(errorAnswers)
    .filter(([name]) => name !== 'Conflict')
    .map(([name, answer]) => [name, errorResponse(answer)])
  return { ...Object.fromEntries(answers), NotModified: notModified }
}

const notModified: Schema = {
  description:
    'Not modified: the `ETag` that you sent as `If-None-Match` is still current. HEAD works like GET, without a body.',
  headers: headersNamed([...usual, 'ETag', 'Vary']),
}

function errorResponse({ status, description, headers, example }: ErrorAnswer): Schema {
  const $ref = `#/components/schemas/${status < 500 ? 'Error' : 'InternalError'}`
  const content = { 'application/json': { schema: { $ref }, example } }
  return { description, headers: headersNamed(headers), content }
}

/** An example of an error that a request of this operation can have. */
function ownFault({ params = {}, linked, query, form, body }: Operation): ErrorAnswer['example'] {
  const id = Object.keys(params).find((name) => params[name] === 'uuid')
  const [required] = body?.().safeParse({}).error?.issues ?? []
  if (linked) return faultExample('page_size', `must be at most ${linesPageMax}`)
  if (query && 'page_size' in query()._zod.def.shape) return pageFault
  if (form) return faultExample('file', 'is required')
  if (required) return faultExample(String(required.path[0]), 'is required')
  if (id) return faultExample(id, 'must be a UUID')
  return faultExample('page', 'is not known here; leave it out')
}

function faultExample(field: string, fault: string): ErrorAnswer['example'] {
  return { code: 'validation_error', message: `${field} ${fault}.`, extra: { fields: { [field]: [fault] } } }
}

function internalFault(message: string): ErrorAnswer['example'] {
  return { code: 'internal_error', message, extra: { request_id: ids.request } }
}

/** Any operation can respond with 400 and 406, and any that needs a key with 500 and 503 (decisions 11). */
export function responsesOf(operation: Operation, prose: AnyDescribedOperation): Schema {
  const responses: Record<string, unknown> = { [operation.success]: successOf(operation, prose) }
  if (operation.repeats && operation.success === 201) responses[200] = repeatedOf(operation, prose)
  const statuses = new Set([...operation.errors, 400, 406])
  if (!operation.open) for (const status of [500, 503]) statuses.add(status)
  if (operation.method === 'GET') responses[304] = { $ref: '#/components/responses/NotModified' }
  for (const [name, answer] of Object.entries(errorAnswers)) {
    if (!statuses.has(answer.status)) continue
    if (answer.status === 409 && prose.conflict) responses[409] = conflictOf(prose)
    else if (answer.status === 400 && !operation.paged)
      responses[400] = errorResponse({ ...answer, example: ownFault(operation) })
    else responses[answer.status] = { $ref: `#/components/responses/${name}` }
  }
  return responses
}

/** Each operation has its own example of a state that prevents it. */
function conflictOf({ conflict }: AnyDescribedOperation): Schema {
  const example = { code: 'state_conflict', ...conflict }
  return errorResponse({ ...(errorAnswers.Conflict as ErrorAnswer), example } as ErrorAnswer)
}

function successOf(operation: Operation, { answer, links }: AnyDescribedOperation): Schema {
  const headers = headersNamed(headersOf(operation))
  const response = operation.response?.()
  if (!response) return { description: 'Done. The response has no body.', headers }
  const schema = schemaOf(operation.paged ? pageOf(response) : response, 'output')
  const name = String(schema.$ref).split('/').at(-1) ?? ''
  const example = operation.paged ? onlyPage(answer) : answer
  return {
    description: own(schemaProse, name)?.description ?? `${operation.summary}.`,
    headers,
    content: { 'application/json': { schema, example } },
    ...(links && { links: linksOf(links) }),
  }
}

/** The response under `Custody-Repeats: skip` if an earlier request created the resource. */
function repeatedOf(operation: Operation, prose: AnyDescribedOperation): Schema {
  const answer = prose.repeated ?? prose.answer
  const { links: _, ...created } = successOf(operation, { ...prose, answer })
  const headers = headersNamed([...headersOf(operation), 'Custody-Repeated'])
  const description = 'An earlier request already created this resource. Nothing was created again.'
  return { ...created, description, headers }
}

function linksOf(links: readonly LinkProse[]): Schema {
  return Object.fromEntries(
    links.map(({ to, params, description }) => [to, { operationId: to, parameters: params, description }]),
  )
}
