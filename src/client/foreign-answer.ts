import { parsedJson, type Reply } from '../contract/call.ts'
import { type OperationId, operation as operationOf } from '../contract/operations.ts'
import { NetworkError } from './network-error.ts'

/** Throws `NetworkError` if what is no refusal cannot be this service's: a login page, a redirect, a page of another server. */
export function refuseForeign(reply: Reply, id: OperationId, baseUrl: string): void {
  const { status, headers, body, isInDoubt } = reply
  if (status >= 400) return
  if (status >= 300)
    throw foreign(baseUrl, `it answers ${status}${pointer(headers.location, baseUrl)}`, isInDoubt)
  if (operationOf(id).success === 204 || isJsonText(body)) return
  const type = /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0] ?? 'something else'
  throw foreign(
    baseUrl,
    `it answers ${status} with ${body === '' ? 'nothing' : type} instead of JSON`,
    isInDoubt,
  )
}

export function isJsonText(body: string): boolean {
  return /^\s*[{[]/.test(body)
}

/** The parsed answer of an operation. Throws `NetworkError` if this service would not answer that. */
export function dataOf({ status, body }: Reply, id: OperationId, baseUrl: string): unknown {
  if (body === '') return undefined
  const data = parsedJson(body)
  if (data === undefined) throw foreign(baseUrl, `it answers ${status} with what is no JSON`)
  const isList = operationOf(id).paged === true
  if (isList && !Array.isArray((data as { results?: unknown }).results)) {
    throw foreign(baseUrl, `it answers ${status} with JSON that is no list`)
  }
  return data
}

/** `isInDoubt`: an earlier try may have reached the service. */
function foreign(baseUrl: string, why: string, isInDoubt = false): NetworkError {
  const error = new NetworkError('foreign', `This is not a custody service: ${baseUrl} (${why})`)
  return Object.assign(error, { isInDoubt })
}

/** Encoded as a URL, so that nothing in it can act on a terminal. */
function pointer(location: string | undefined, baseUrl: string): string {
  if (location === undefined || !URL.canParse(location, baseUrl)) return ''
  return ` and points to ${new URL(location, baseUrl).href}`
}
