import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { type Operator, root } from './operator.ts'

type Arguments = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: answers of every operation, of which each test looks at a field or two
type Ended = { isError: boolean; text: string; data: () => Record<string, any> }

/** An assistant with the server that it started, and its view of a call. */
export type Assistant = {
  client: Client
  call(name: string, given?: Arguments): Promise<Ended>
  close(): Promise<void>
}

/** `env`: replaces the operator's own database. */
export async function startAssistant(
  operator: Operator,
  flags: readonly string[] = [],
  env: Record<string, string> = { CUSTODY_DATABASE: operator.database },
): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [`${root}/bin/custody.js`, 'mcp', ...flags],
    env: { ...getDefaultEnvironment(), HOME: operator.folder, ...env },
    stderr: 'ignore',
  })
  await client.connect(transport)
  return {
    client,
    async call(name, given = {}) {
      const { content, isError } = await client.callTool({ name, arguments: given })
      const { text } = (content as Array<{ text: string }>)[0]!
      return { isError: isError === true, text, data: () => JSON.parse(text) }
    },
    close: () => client.close(),
  }
}
