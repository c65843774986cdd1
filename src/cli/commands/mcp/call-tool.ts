import { type Answer, type Client, ServiceError } from '../../../client/client.ts'
import { NetworkError } from '../../../client/network-error.ts'
import { hasNextPage } from '../../../client/pages.ts'
import type { Operation } from '../../../contract/operation.ts'
import { type OperationId, operations } from '../../../contract/operations.ts'
import { newUuid } from '../../../runtime/runtime.ts'
import { CliError } from '../../base/cli-error.ts'
import { sha256 } from '../../base/crypto.ts'
import { hasPages, isRead } from './tools.ts'

type Fields = Readonly<Record<string, unknown>>
type ToolResult = {
  content: Array<{ type: 'text'; text: string }>
  structuredContent?: Record<string, unknown>
  isError?: true
}
type Method = (request: object) => Promise<Answer<unknown>>

/** The signal aborts the call. Throws any error that is not the service's answer. */
type CallTool = (name: string, given: Fields, signal: AbortSignal) => Promise<ToolResult>

/** Writes whose keys are kept; the oldest is forgotten first. */
const unknownMax = 1000

/** A write keeps its Idempotency-Key until its outcome is known, so repeating a call that timed out or was cancelled is safe. */
export function toolCaller(client: Client, { writes }: { writes: boolean }): CallTool {
  const keys = new Map<string, string>()
  return async (name, given, signal) => {
    const operation = Object.hasOwn(operations, name)
      ? (operations[name as OperationId] as Operation)
      : undefined
    if (operation === undefined || operation.open) return failed(`There is no tool ${name.slice(0, 100)}.`)
    if (!isRead(operation) && !writes)
      return failed(
        `${name} changes data, and this server only reads: it was started without --allow-writes.`,
      )
    const missing = Object.keys(operation.params ?? {}).find((param) => given[param] === undefined)
    if (missing !== undefined) return failed(`${missing} is required.`)
    const { idempotency_key: ownKey, show_secret, cursor, ...fields } = given
    // With a key chosen by custody, a repeated call would be carried out again.
    if (ownKey !== undefined && typeof ownKey !== 'string') return failed('idempotency_key must be a string.')
    const same = sha256(`${name} ${sortedJson(fields)}`, 16)
    const page = pageOf(operation, cursor, same)
    if (page === undefined)
      return failed('cursor: must be a next_cursor that the same tool returned for the same arguments.')
    const key = ownKey ?? keys.get(same) ?? newUuid()
    const isKept = operation.method === 'POST' && ownKey === undefined
    if (isKept) keep(keys, same, key)
    const request = { ...requestOf(operation, { ...fields, ...page }), idempotencyKey: key, signal }
    try {
      const answer = await (client[name as OperationId] as Method)(request)
      const shown = shownOf(operation, answer, {
        same,
        page: page.page ?? 1,
        key,
        isSecretShown: show_secret === true,
      })
      // The assistant never learns the outcome of a cancelled call.
      if (isKept && !signal.aborted) keys.delete(same)
      return shown
    } catch (error) {
      if (error instanceof CliError) return failed([error.message, error.hint].filter(Boolean).join(' '))
      if (!(error instanceof ServiceError || error instanceof NetworkError)) throw error
      if (isKept && !error.isInDoubt) keys.delete(same)
      return failed(`${wordsOf(error)}${doubtOf(operation, error, key)}`)
    }
  }
}

function keep(keys: Map<string, string>, same: string, key: string): void {
  const [oldest] = keys.keys()
  if (keys.size >= unknownMax && oldest !== undefined) keys.delete(oldest)
  keys.set(same, key)
}

/** Undefined if the cursor belongs to other arguments, whose pages are different. */
function pageOf(operation: Operation, cursor: unknown, same: string): { page?: number } | undefined {
  if (cursor === undefined || cursor === null) return {}
  const [page = '', of] = String(cursor).split('-')
  return hasPages(operation) && /^\d{1,9}$/.test(page) && of === same ? { page: Number(page) } : undefined
}

function requestOf(operation: Operation, fields: Fields): object {
  const ofPath = operation.params ?? {}
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(ofPath, name)))
  const { file = '', ...texts } = rest
  return {
    params: Object.fromEntries(Object.keys(ofPath).map((name) => [name, String(fields[name])])),
    // An assistant that lost an answer may call again, so nothing is created twice (decisions 13).
    ...(operation.repeats && { repeats: 'skip' }),
    ...(operation.form
      ? { form: { ...texts, file: Buffer.from(String(file)) } }
      : operation.body
        ? { body: rest }
        : { query: rest }),
  }
}

type Shown = { same: string; page: number; key: string; isSecretShown: boolean }

function shownOf(operation: Operation, answer: Answer<unknown>, shown: Shown): ToolResult {
  if (answer.text === '') return { content: [{ type: 'text', text: 'Done.' }] }
  const data = answer.data as Record<string, unknown>
  const next = `${shown.page + 1}-${shown.same}`
  if (operation.paged)
    return result({
      results: data.results,
      total: data.total,
      next_cursor: data.next_page_number === null ? null : next,
    })
  if (operation.linked) return result({ ...data, next_cursor: hasNextPage(answer) ? next : null })
  if (operation.showsSecret && !shown.isSecretShown)
    return result({
      ...data,
      secret: `[hidden: to see it, call again with the same arguments, show_secret true and idempotency_key ${shown.key}]`,
    })
  return result({ ...data, ...(answer.headers['custody-repeated'] === 'true' && { repeated: true }) })
}

function result(structuredContent: Record<string, unknown>): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

function wordsOf(error: ServiceError | NetworkError): string {
  if (error instanceof NetworkError) return error.message
  return JSON.stringify({ code: error.code, message: error.message, extra: error.extra })
}

function doubtOf({ method }: Operation, { isInDoubt }: ServiceError | NetworkError, key: string): string {
  if (!isInDoubt || method === 'GET') return ''
  const means =
    method === 'POST' ? `: it reuses Idempotency-Key ${key}, so it is carried out at most once` : ''
  return `\nIt may have been carried out. Call it again with the same arguments${means}.`
}

function failed(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** JSON that does not depend on the order in which an assistant writes its arguments. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  )
}
