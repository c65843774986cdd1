import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '../../../client/client.ts'
import type { Document } from '../../../contract/document/api-pages.ts'
import { apiPages } from '../../../contract/document/api-pages.ts'
import { openApiDocument } from '../../../contract/document/openapi.ts'
import { once } from '../../../contract/once.ts'
import { maxWaitMs } from '../../base/times.ts'
import { lineTransport } from './line-transport.ts'
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
  server.setRequestHandler(ListPromptsRequestSchema, listPrompts)
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => getPrompt(params.name, params.arguments))
  const ended = Promise.withResolvers<void>()
  server.onclose = ended.resolve
  await server.connect(lineTransport(process.stdin, write))
  stop.addEventListener('abort', () => void server.close(), { once: true })
  await ended.promise
}

/** Assistants give up on a call after 60 s; a later answer is lost to them. */
const longestWaitSeconds = 45

/** For all attempts of one call; --max-wait can only shorten it. */
export function callSeconds(maxWait: string | undefined): number {
  return Math.min(longestWaitSeconds, (maxWaitMs(maxWait) ?? Infinity) / 1000)
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

function listResources(): { resources: Array<{ uri: string; name: string; mimeType: string }> } {
  return { resources: [...pages().keys()].map((name) => ({ uri: `${place}${name}`, name, mimeType })) }
}

function readResource(uri: string): {
  contents: Array<{ uri: string; mimeType: string; text: string }>
} {
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

function listPrompts(): { prompts: Prompt[] } {
  return { prompts: [missing, sheet] }
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
