import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Client } from '../../../client/client.ts'
import { callTool } from './call-tool.ts'
import { toolsFor } from './tools.ts'

type McpOptions = {
  client: Client
  /** The target's name for people. */
  label: string
  writes: boolean
  stop: AbortSignal
}

/** Serves the target's operations as tools over this process's standard streams, until its input ends or it is stopped. */
export async function startMcpServer({ client, label, writes, stop }: McpOptions): Promise<void> {
  const server = new Server(
    { name: 'custody', version: CUSTODY_VERSION },
    { capabilities: { tools: {} }, instructions: instructions(label, writes) },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: toolsFor({ writes }) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(client, params.name, params.arguments ?? {}, { writes }),
  )
  const ended = Promise.withResolvers<void>()
  server.onclose = ended.resolve
  await server.connect(new StdioServerTransport())
  const close = (): void => void server.close()
  // The SDK would wait for ever after its input has ended.
  process.stdin.once('end', close)
  stop.addEventListener('abort', close, { once: true })
  await ended.promise
}

function instructions(label: string, writes: boolean): string {
  const rights = writes ? 'Tools may change data.' : 'Tools only read.'
  return (
    `The custody of graded slabs and catalog products in a warehouse: manifests of what was bought, items, stock, shipments, ` +
    `sell-backs and the log of events, at ${label}. ${rights} Lists come in pages: total and next_page_number say what is left.`
  )
}
