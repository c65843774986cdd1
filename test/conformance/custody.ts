import { join } from 'node:path'
import type { Io } from '../../src/cli/io.ts'
import { runCli } from '../../src/cli/program.ts'

/** One command line of the tool, in this process, without a terminal and without anybody's own profiles. */
export async function custody(
  args: string[],
  env: Io['env'] = {},
): Promise<{ code: number; out: string[]; err: string[] }> {
  const written = { out: '', err: '' }
  const outlet = (name: 'out' | 'err'): Io['out'] => ({
    isTerminal: false,
    columns: () => 120,
    write: (text) => {
      written[name] += text
    },
  })
  const code = await runCli(args, {
    // Nobody's own profiles.
    env: { HOME: join(import.meta.dirname, 'nobody'), ...env },
    cwd: import.meta.dirname,
    stdin: { isTerminal: false, chunks: async function* () {} },
    out: outlet('out'),
    err: outlet('err'),
    now: () => Date.now(),
    stopSignal: () => new AbortController().signal,
  })
  const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')
  return { code, out: lines(written.out), err: lines(written.err) }
}
