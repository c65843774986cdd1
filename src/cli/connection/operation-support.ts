import type { Client } from '../../client/client.ts'
import { NetworkError } from '../../client/network-error.ts'
import { ServiceError } from '../../client/service-error.ts'
import type { Call, Reply, Transport } from '../../contract/call.ts'
import { type OperationId, operation as operationOf } from '../../contract/operations.ts'
import { CliError } from '../base/cli-error.ts'

/**
 * After a 404: throws `not_offered` where the service does not have the operation (decisions 11): the answer is no Error
 * object, or to what no resource is needed for, or the service's own OpenAPI document does not list an extension. Anything else is a resource not found.
 */
export async function checkOffered(
  transport: Transport,
  call: Call,
  reply: Reply,
  baseUrl: string,
): Promise<void> {
  const id = call.operation
  if (id === undefined || id === 'getOpenApi') return
  const { method, path, extension } = operationOf(id)
  // A read that names no resource finds one wherever there is a service.
  const isElsewhere = method === 'GET' && !extension && !path.includes('{')
  if (isElsewhere || !isErrorObject(reply.body)) {
    throw new CliError(
      'not_offered',
      `${baseUrl} does not offer ${method} ${path}.`,
      extension
        ? {}
        : {
            hint: 'Check that the address is that of version 1, as in https://custody.example.com/v1',
          },
    )
  }
  if (!extension) return
  const document = await documentOf(transport, call)
  if (document === undefined || lists(document, id)) return
  throw new CliError('not_offered', `${baseUrl} does not offer ${method} ${path}.`)
}

/**
 * Whether a call of an extension failed because the service has no such operation, as far as it can be told: false where
 * the service lists it, so that it is the resource which is not there.
 */
export async function isPerhapsLacking(client: Client, error: unknown): Promise<boolean> {
  if (error instanceof CliError) return error.ending === 'not_offered'
  if (!(error instanceof ServiceError) || error.status !== 404) return false
  const document = await client.getOpenApi({}).catch(() => undefined)
  return document === undefined
}

/** Whether the service's OpenAPI document mentions a header, in lower case. Throws if that cannot be told. */
export async function offersHeader(client: Client, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.getOpenApi({ signal })).text.toLowerCase().includes(name)
  } catch (error) {
    if (signal.aborted) throw new CliError('interrupted', 'Interrupted before anything was sent.')
    const isForeign = error instanceof NetworkError && error.fault === 'foreign'
    const isAbsent = error instanceof ServiceError && error.status === 404
    if (isForeign || isAbsent || (error instanceof CliError && error.ending === 'not_offered')) return false
    throw error
  }
}

/** The result of a look-up by reference or address; if the service does not support it, the error says to use an id. */
export async function lookedUp<T>(client: Client, what: string, lookUp: () => Promise<T>): Promise<T> {
  try {
    return await lookUp()
  } catch (error) {
    if (!(await isPerhapsLacking(client, error))) throw error
    // Without evidence that the operation is missing, it is a 404 like any other (decisions 11).
    const isTold = error instanceof CliError
    const message = isTold ? error.message : 'The service has no such resource.'
    throw new CliError(isTold ? 'not_offered' : 'not_found', message, {
      hint: `It ${isTold ? 'cannot' : 'may not be able to'} look up a ${what}: give its id.`,
    })
  }
}

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Undefined if the service has no OpenAPI document. */
async function documentOf(transport: Transport, { baseUrl, signal }: Call): Promise<Paths | undefined> {
  const reply = await transport({
    operation: 'getOpenApi',
    params: {},
    query: [],
    headers: {},
    body: async () => ({ kind: 'empty' }),
    baseUrl,
    ...(signal && { signal }),
  })
  const paths = reply.status === 200 ? objectIn(reply.body)?.paths : undefined
  return typeof paths === 'object' && paths !== null ? (paths as Paths) : undefined
}

/** Ignores how the document names parameters, and whether its paths begin with the version. */
function lists(paths: Paths, id: OperationId): boolean {
  const { method, path } = operationOf(id)
  return Object.entries(paths).some(
    ([listed, methods]) =>
      anonymous(listed).replace(/^\/v1(?=\/)/, '') === anonymous(path) &&
      Object.hasOwn(methods, method.toLowerCase()),
  )
}

function anonymous(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, '{}')
}

function isErrorObject(text: string): boolean {
  const body = objectIn(text)
  return typeof body?.code === 'string' && typeof body.message === 'string'
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
