import type { Command } from 'commander'
import type { CommandFile, Session } from '../../command.ts'

type Options = { allowWrites?: boolean }

export const command: CommandFile<[Options]> = {
  summary: 'be a server of the Model Context Protocol for an assistant, over stdin and stdout',
  details:
    'Every operation of the target is a tool, with the arguments that the interface names; the service judges them as it does ' +
    "everybody's. Without --allow-writes only those that read are there. An assistant starts it by itself: give it this " +
    'command line. It ends with its input.',
  examples: ['mcp', 'mcp --profile sandbox --allow-writes'],
  define: (mcp: Command) => mcp.option('--allow-writes', 'also the operations that change data'),
  isPlain: true,
  run,
}

async function run(session: Session, { allowWrites = false }: Options): Promise<void> {
  const { client, label } = allowWrites ? await session.targetToWrite() : await session.target()
  const { startMcpServer } = await import('./server.ts')
  await startMcpServer({ client, label, writes: allowWrites, stop: session.io.stopSignal() })
}
