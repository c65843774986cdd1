import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Io } from '../../src/cli/base/io.ts'
import { runCli } from '../../src/cli/program/program.ts'

/** Runs one command of the tool in this process, without a terminal and without anybody's profiles. */
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
  const home = mkdtempSync(join(tmpdir(), 'custody-nobody-'))
  const code = await runCli(args, {
    env: { HOME: home, ...env },
    cwd: home,
    stdin: { isTerminal: false, chunks: async function* () {} },
    out: outlet('out'),
    err: outlet('err'),
    now: () => Date.now(),
    stopSignal: () => new AbortController().signal,
  })
  rmSync(home, { recursive: true, force: true })
  const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '')
  return { code, out: lines(written.out), err: lines(written.err) }
}
