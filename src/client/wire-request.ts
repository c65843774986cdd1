import type { Call } from '../contract/call.ts'
import { type OperationId, operation, pathOf } from '../contract/operations.ts'
import type { WireBody } from './form-data.ts'

export type Sender = {
  apiKey: string
  /** How this client names itself. */
  userAgent?: string
}

export function addressOf(call: Call): URL {
  const url = new URL(call.baseUrl + pathOf(idOf(call), call.params))
  for (const [name, value] of call.query) url.searchParams.append(name, value)
  return url
}

export function methodOf(call: Call): string {
  return operation(idOf(call)).method
}

/** All headers but the body's length, which not every way of sending lets its caller set. */
export function headersOf(
  call: Call,
  body: WireBody | undefined,
  { apiKey, userAgent = `custody/${CUSTODY_VERSION}` }: Sender,
): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {
    accept: 'application/json',
    'user-agent': userAgent,
    'x-api-key': apiKey,
  }
  if (body) headers['content-type'] = body.type
  for (const [name, value] of Object.entries(call.headers)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : [...value]
  }
  return headers
}

/** The headers of an answer, each as one text. */
export function plainHeaders(
  found: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(found)) {
    if (value !== undefined) headers[name] = typeof value === 'string' ? value : value.join(', ')
  }
  return headers
}

export function idOf({ operation }: Call): OperationId {
  if (operation === undefined) throw new TypeError('a call over HTTP needs an operation')
  return operation
}
