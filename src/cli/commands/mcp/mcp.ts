import type { Command } from 'commander'
import { assistantSecondsMax } from '../../../contract/limits.ts'
import type { LoneCommand, Session } from '../../command.ts'

type Options = { allowWrites?: boolean }

export const command: LoneCommand<[Options]> = {
  details:
    "Every operation of the target is a tool, with the interface's arguments. Without --allow-writes there are only tools that read. The pages of `custody docs` are resources. " +
    `Retries of a call end after ${assistantSecondsMax} s, before assistants give up. Give an assistant this command line: it starts the server itself, over stdin and stdout. The server stops when its input ends.`,
  examples: ['mcp', 'mcp --profile sandbox --allow-writes'],
  define: (mcp: Command) => mcp.option('--allow-writes', 'Allow operations that change data'),
  isPlain: true,
  run,
}

async function run(session: Session, { allowWrites = false }: Options): Promise<void> {
  const { callSeconds, startMcpServer } = await import('./server.ts')
  const { options } = session
  options.maxWait = `${callSeconds(options.maxWait)}s`
  const { client, label } = allowWrites ? await session.targetToWrite() : await session.target()
  const { io } = session
  const write = (text: string): void => io.out.write(text, true)
  await startMcpServer({ client, label, writes: allowWrites, write, stop: io.stopSignal() })
}
