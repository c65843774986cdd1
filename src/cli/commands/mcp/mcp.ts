import type { Command } from 'commander'
import type { CommandFile, Session } from '../../command.ts'

type Options = { allowWrites?: boolean }

export const command: CommandFile<[Options]> = {
  summary: 'be a server of the Model Context Protocol for an assistant, over stdin and stdout',
  details:
    'Every operation of the target is a tool, with the arguments that the interface names; the service judges them as it does ' +
    "everybody's. Without --allow-writes only those that read are there. The pages of `custody docs` are resources. Retries " +
    'of a call end after 45 s, before assistants give up on it. An assistant starts the server by itself: give it this ' +
    'command line. It ends with its input.',
  examples: ['mcp', 'mcp --profile sandbox --allow-writes'],
  define: (mcp: Command) => mcp.option('--allow-writes', 'also the operations that change data'),
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
