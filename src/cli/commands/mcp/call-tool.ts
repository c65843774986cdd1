import type { Answer, Client } from '../../../client/client.ts'
import { NetworkError } from '../../../client/network-error.ts'
import { ServiceError } from '../../../client/service-error.ts'
import type { Operation } from '../../../contract/operation.ts'
import { type OperationId, operations } from '../../../contract/operations.ts'
import { newUuid } from '../../../runtime/identifiers.ts'
import { isRead } from './tools.ts'

type ToolResult = { content: Array<{ type: 'text'; text: string }>; isError?: true }
type Arguments = Readonly<Record<string, unknown>>
type Method = (request: object) => Promise<Answer<unknown>>

/**
 * Calls the operation that a tool is. What the service refuses is a result, in the service's words: it judges the arguments,
 * as it does everybody's. Throws what is no answer to the call.
 */
export async function callTool(
  client: Client,
  name: string,
  given: Arguments,
  { writes }: { writes: boolean },
): Promise<ToolResult> {
  const operation = (operations as Readonly<Record<string, Operation>>)[name]
  if (operation === undefined || operation.open) return refused(`There is no tool ${name}.`)
  if (!isRead(operation) && !writes)
    return refused(`${name} changes data, and this server only reads: it was started without --allow-writes.`)
  const { idempotency_key: key = newUuid() } = given
  // With a key of ours instead, a repetition would be carried out again.
  if (typeof key !== 'string') return refused('idempotency_key must be a string.')
  const missing = Object.keys(operation.params ?? {}).find((param) => given[param] === undefined)
  if (missing !== undefined) return refused(`${missing} is required.`)
  const call = client[name as OperationId] as Method
  try {
    const { text } = await call(requestOf(operation, given, key))
    return { content: [{ type: 'text', text: text === '' ? 'Done.' : text }] }
  } catch (error) {
    if (error instanceof ServiceError || error instanceof NetworkError)
      return refused(`${wordsOf(error)}${inDoubt(operation, error, key)}`)
    throw error
  }
}

function requestOf(operation: Operation, given: Arguments, idempotencyKey: string): object {
  const { idempotency_key: _, file, ...rest } = given
  const params: Record<string, unknown> = {}
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(rest)) {
    const part = name in (operation.params ?? {}) ? params : fields
    part[name] = value
  }
  return {
    params: Object.fromEntries(
      Object.keys(operation.params ?? {}).map((name) => [name, String(params[name])]),
    ),
    ...(operation.form
      ? { form: { ...fields, file: Buffer.from(String(file ?? '')) } }
      : operation.body
        ? { body: fields }
        : { query: fields }),
    idempotencyKey,
  }
}

/** The service's error as it came, with the fields that it names. */
function wordsOf(error: ServiceError | NetworkError): string {
  if (error instanceof NetworkError) return error.message
  return JSON.stringify({ code: error.code, message: error.message, extra: error.extra })
}

function inDoubt({ method }: Operation, { isInDoubt }: ServiceError | NetworkError, key: string): string {
  if (!isInDoubt || method === 'GET') return ''
  return `\nIt may have been carried out. To be sure, call it again with the same arguments and idempotency_key ${key}.`
}

function refused(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}
