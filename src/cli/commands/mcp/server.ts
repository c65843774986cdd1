import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '../../../client/client.ts'
import { parsedJson } from '../../../contract/call.ts'
import { apiPages, type Document } from '../../../contract/document/api-pages.ts'
import { openApiDocument } from '../../../contract/document/openapi.ts'
import { jsonLimits, scannedJson } from '../../../contract/json-scan.ts'
import { assistantSecondsMax, csvFileBytesMax } from '../../../contract/limits.ts'
import { once } from '../../../contract/once.ts'
import { BrokenPipe } from '../../base/io.ts'
import { maxWaitMs } from '../../base/times.ts'
import { toolCaller, toolsFor } from './tools.ts'

type McpOptions = {
  client: Client
  label: string
  writes: boolean
  write: (text: string) => void
  stop: AbortSignal
}

/** Runs until the input ends or `stop` aborts. The SDK aborts a call that the assistant cancels, and all calls at the end. */
export async function startMcpServer({ client, label, writes, write, stop }: McpOptions): Promise<void> {
  const server = new Server(
    { name: 'custody', version: CUSTODY_VERSION },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: instructions(label, writes),
    },
  )
  const call = toolCaller(client, { writes })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsFor({ writes }) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    call(params.name, params.arguments ?? {}, signal),
  )
  server.setRequestHandler(ListResourcesRequestSchema, listResources)
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(params.uri))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: [missing, sheet] }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => getPrompt(params.name, params.arguments))
  const ended = Promise.withResolvers<void>()
  server.onclose = ended.resolve
  await server.connect(lineTransport(process.stdin, write))
  stop.addEventListener('abort', () => void server.close(), { once: true })
  await ended.promise
}

/** For all attempts of one call; --max-wait can only shorten it. */
export function callSeconds(maxWait: string | undefined): number {
  return Math.min(assistantSecondsMax, (maxWaitMs(maxWait) ?? Infinity) / 1000)
}

function instructions(label: string, writes: boolean): string {
  const rights = writes ? 'Tools may change data.' : 'Tools only read.'
  return (
    `Warehouse custody of graded slabs and catalog products: manifests, items, stock, fulfillments, sell-backs, and the event log, ` +
    `at ${label}. ${rights} Lists are paged: next_cursor is null on the last page. ` +
    "The resource custody://docs/TOOL.md describes a tool's arguments and response, with examples."
  )
}

const place = 'custody://docs/'
const mimeType = 'text/markdown'
const pages = once(() => apiPages(openApiDocument() as Document))

function listResources() {
  return { resources: [...pages().keys()].map((name) => ({ uri: `${place}${name}`, name, mimeType })) }
}

function readResource(uri: string) {
  const text = uri.startsWith(place) ? pages().get(uri.slice(place.length)) : undefined
  if (text === undefined)
    throw new McpError(ErrorCode.InvalidParams, `There is no resource ${uri.slice(0, 200)}.`)
  return { contents: [{ uri, mimeType, text }] }
}

type Prompt = {
  name: string
  title: string
  description: string
  arguments?: Array<{ name: string; description: string; required: boolean }>
}

const missing: Prompt = {
  name: 'whats_missing_this_week',
  title: 'What is missing this week',
  description: 'Lines of manifests that should have arrived and did not.',
}
const sheet: Prompt = {
  name: 'check_buy_sheet',
  title: 'Check this buy sheet',
  description: 'Finds what would be rejected, or not matched, before a manifest is submitted.',
  arguments: [{ name: 'sheet', description: 'The buy sheet, as CSV text', required: true }],
}

type Messages = { messages: Array<{ role: 'user'; content: { type: 'text'; text: string } }> }

function getPrompt(name: string, given: Readonly<Record<string, string>> = {}): Messages {
  if (name === missing.name) return asked(missingText)
  if (name !== sheet.name)
    throw new McpError(ErrorCode.InvalidParams, `There is no prompt ${name.slice(0, 100)}.`)
  if (!given.sheet)
    throw new McpError(ErrorCode.InvalidParams, 'sheet is required: the buy sheet as CSV text.')
  return asked(`${sheetText}\n\n${given.sheet}`)
}

function asked(text: string): Messages {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
}

const missingText =
  'What is missing this week? List the manifests with listManifests: those that are still open and should have arrived ' +
  'by now (arrives_by), and those that were closed in the last seven days. Read the report of each with ' +
  'getManifestReport, all its pages. Show a table of the lines that are missing or only partly received: reference, ' +
  'description, grader and certificate or SKU, quantity expected and received, days overdue. Then list what arrived ' +
  'without being expected, because it may be what is missing under another name. Change nothing.'

const sheetText =
  'Check this buy sheet before it is submitted as a manifest. Read custody://docs/submitManifestCsv.md for its columns. ' +
  'Report each row that would be rejected or would not match what arrives: a missing description, both a SKU and a ' +
  'certificate, a grader without a certificate, a certificate in scientific notation or without its leading zeros, the ' +
  'same grader and certificate twice, a quantity above 1 for a slab. Look up each SKU with listProducts, each certificate ' +
  'with listItems (is it held already?), and the reference with listManifests (was it submitted already?). Show the rows ' +
  'with their faults and a corrected CSV. Submit nothing until I say so.'

/** The largest upload as JSON, in which each line end and quotation mark takes two bytes. */
const messageMiBMax = (2 * csvFileBytesMax) / 1024 / 1024 + 1
const messageBytesMax = messageMiBMax * 1024 * 1024
/** A body is at the third level of its message, which has up to 20 other names. The service checks the limits of the body itself. */
const messageLimits = { ...jsonLimits, depth: jsonLimits.depth + 3, names: jsonLimits.names + 20 }
/** Bytes kept from each end of a longer message: its id is in one of them. */
const edgeBytes = 1024

const parseError = -32_700
const invalidRequest = -32_600

/** Unlike the SDK's own: allows messages as long as an upload, survives longer ones, and reads in linear time. */
function lineTransport(input: NodeJS.ReadableStream, write: (message: string) => void): Transport {
  let line = emptyLine()
  const transport: Transport = {
    async start() {
      input.on('data', read)
      input.once('end', () => void transport.close())
    },
    send: async (message) => say(message),
    async close() {
      input.off('data', read)
      input.pause()
      transport.onclose?.()
    },
  }

  function read(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      add(line, chunk.subarray(from, end))
      receive(line)
      line = emptyLine()
      from = end + 1
    }
    add(line, chunk.subarray(from))
  }

  function receive({ parts, bytes, head, tail }: Line): void {
    if (bytes > messageBytesMax) {
      reject(invalidRequest, `A message may have at most ${messageMiBMax} MiB.`, idIn(head, tail))
      return
    }
    const text = Buffer.concat(parts).toString('utf8').trim()
    const message = parsedJson(text)
    const { excess } = scannedJson(text, messageLimits)
    const parsed = JSONRPCMessageSchema.safeParse(message)
    if (excess) reject(invalidRequest, `A message ${excess}.`, idOf(message))
    else if (parsed.success) transport.onmessage?.(parsed.data)
    else if (message !== undefined)
      reject(invalidRequest, 'This is not a JSON-RPC 2.0 message.', idOf(message))
    else if (text !== '') reject(parseError, 'A message must be JSON on one line.')
  }

  function reject(code: number, message: string, id: RequestId | null = null): void {
    say({ jsonrpc: '2.0', id, error: { code, message } })
  }

  function say(message: JSONRPCMessage | object): void {
    try {
      write(`${JSON.stringify(message)}\n`)
    } catch (error) {
      if (!(error instanceof BrokenPipe)) throw error
      void transport.close()
    }
  }
  return transport
}

type RequestId = string | number
/** `parts` is empty once the line is too long. */
type Line = { parts: Buffer[]; bytes: number; head: Buffer; tail: Buffer }

function emptyLine(): Line {
  return { parts: [], bytes: 0, head: Buffer.alloc(0), tail: Buffer.alloc(0) }
}

function add(line: Line, part: Buffer): void {
  if (part.length === 0) return
  if (line.head.length < edgeBytes)
    line.head = Buffer.concat([line.head, part.subarray(0, edgeBytes - line.head.length)])
  line.tail = Buffer.concat([line.tail, part.subarray(-edgeBytes)]).subarray(-edgeBytes)
  line.bytes += part.length
  if (line.bytes > messageBytesMax) line.parts = []
  else line.parts.push(part)
}

/** In a message that is too long: the field after the version, or the last one. */
const firstId = /^\{"jsonrpc": ?"2\.0", ?"id": ?("[^"\\]*"|\d+),/
const lastId = /"id": ?("[^"\\]*"|\d+)\}$/

function idIn(head: Buffer, tail: Buffer): RequestId | undefined {
  const found = (firstId.exec(head.toString('latin1')) ?? lastId.exec(tail.toString('latin1')))?.[1]
  return found === undefined ? undefined : (parsedJson(found) as RequestId)
}

function idOf(message: unknown): RequestId | undefined {
  const { id } = (message ?? {}) as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
