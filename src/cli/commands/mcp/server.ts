import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '../../../client/client.ts'
import { maxWaitMs } from '../../base/times.ts'
import { toolCaller } from './call-tool.ts'
import { lineTransport } from './line-transport.ts'
import { getPrompt, listPrompts, listResources, readResource } from './reading-matter.ts'
import { toolsFor } from './tools.ts'

type McpOptions = {
  client: Client
  /** The target's name for people. */
  label: string
  writes: boolean
  /** Writes to the assistant. */
  write: (text: string) => void
  stop: AbortSignal
}

/**
 * Serves the target's operations as tools over this process's standard streams, until its input ends or it is stopped. The
 * SDK aborts a call that the assistant cancels, and all of them at the end.
 */
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

/** Assistants give up on a call after 60 s; an answer that comes later is lost to them. */
const longestWaitSeconds = 45

/** How long all attempts of one call may take, whatever --max-wait says. */
export function callSeconds(maxWait: string | undefined): number {
  return Math.min(longestWaitSeconds, (maxWaitMs(maxWait) ?? Infinity) / 1000)
}

function instructions(label: string, writes: boolean): string {
  const rights = writes ? 'Tools may change data.' : 'Tools only read.'
  return (
    `The custody of graded slabs and catalog products in a warehouse: manifests of what was bought, items, stock, shipments, ` +
    `sell-backs and the log of events, at ${label}. ${rights} Lists come in pages: next_cursor is null on the last one. ` +
    'The resource custody://docs/TOOL.md says what a tool takes and answers, with an example.'
  )
}
