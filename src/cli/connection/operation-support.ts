import { type Client, isErrorText, ServiceError } from '../../client/client.ts'
import { type Call, parsedJson, type Reply, type Transport } from '../../contract/call.ts'
import { type OperationId, operation as operationOf } from '../../contract/operations.ts'
import { CliError } from '../base/cli-error.ts'

/** After a 404: throws `not_offered` if the service lacks the operation (decisions 11). Otherwise, a resource is missing. */
export async function checkOffered(
  transport: Transport,
  call: Call,
  reply: Reply,
  baseUrl: string,
): Promise<void> {
  const id = call.operation
  if (id === undefined || id === 'getOpenApi') return
  const { method, path, extension } = operationOf(id)
  // Every custody service answers a read that names no resource.
  const isElsewhere = method === 'GET' && !extension && !path.includes('{')
  if (!isElsewhere && isErrorText(reply.body)) {
    const document = extension ? await documentOf(transport, call) : undefined
    if (document === undefined || lists(document, id)) return
  }
  const hint = extension
    ? 'Its version may be older than that of this tool: ask whoever runs it to upgrade it.'
    : 'Check that the address ends in /v1, as in https://custody.example.com/v1'
  throw new CliError('not_offered', `${baseUrl} does not offer ${method} ${path}.`, { hint })
}

/** After an error of an extension. False if the service lists the operation, because then the resource is missing. */
export async function mayBeUnsupported(client: Client, error: unknown): Promise<boolean> {
  if (error instanceof CliError) return error.ending === 'not_offered'
  if (!(error instanceof ServiceError) || error.status !== 404) return false
  const document = await client.getOpenApi({}).catch(() => undefined)
  return document === undefined
}

/** Undefined if the service does not offer the operation that was called. */
export async function offered<T>(client: Client, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (await mayBeUnsupported(client, error)) return undefined
    throw error
  }
}

/** `name`: in lower case. Throws if the service does not say. */
export async function offersHeader(client: Client, name: string): Promise<boolean> {
  try {
    return (await client.getOpenApi({})).text.toLowerCase().includes(name)
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return false
    throw error
  }
}

/** If the service does not support the lookup, the error says to give an id. */
export async function lookedUp<T>(client: Client, what: string, lookUp: () => Promise<T>): Promise<T> {
  try {
    return await lookUp()
  } catch (error) {
    if (!(await mayBeUnsupported(client, error))) throw error
    // Without evidence that the operation is missing, it is a 404 like any other (decisions 11).
    const isTold = error instanceof CliError
    const message = isTold ? error.message : 'The service has no such resource.'
    throw new CliError(isTold ? 'not_offered' : 'not_found', message, {
      hint: `It ${isTold ? 'cannot' : 'may not be able to'} look up a ${what}: give its id.`,
    })
  }
}

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>

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
  const document = parsedJson(reply.body) as { paths?: unknown } | null | undefined
  const isListed = reply.status === 200 && typeof document?.paths === 'object'
  return isListed ? ((document?.paths ?? undefined) as Paths | undefined) : undefined
}

/** The document may name parameters differently, and begin its paths with the version. */
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
