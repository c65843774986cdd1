import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Io } from '../../src/cli/base/io.ts'
import { terminalText } from '../../src/cli/base/terminal-text.ts'
import { runCli } from '../../src/cli/program/program.ts'

export type CliRun = { code: number; out: string; err: string }

export type CliOptions = {
  env?: Record<string, string>
  input?: string
  now?: number
  /** The columns of its terminal. */
  terminal?: number
  /** Ctrl-C. */
  stop?: AbortSignal
  /** Filled while it runs. */
  written?: { out: string; err: string }
}

/** A user of the tool in this process, without a terminal unless one is given, with their own home. */
export type CliUser = {
  home: string
  run(args: readonly string[], options?: CliOptions): Promise<CliRun>
  dispose(): void
}

export function newCliUser(): CliUser {
  return cliUserAt(mkdtempSync(join(tmpdir(), 'custody-cli-')))
}

export function cliUserAt(home: string): CliUser {
  return {
    home,
    async run(args, options = {}) {
      const { written = { out: '', err: '' } } = options
      const code = await runCli(args, ioOf(home, written, options))
      return { code, ...written }
    },
    dispose: () => rmSync(home, { recursive: true, force: true }),
  }
}

function ioOf(home: string, written: { out: string; err: string }, options: CliOptions): Io {
  const { env = {}, input = '', now, terminal, stop = new AbortController().signal } = options
  const isTerminal = terminal !== undefined
  const outlet = (name: 'out' | 'err') => ({
    write: (text: string, isData = false) => {
      written[name] += isData && !isTerminal ? text : terminalText(text)
    },
    isTerminal,
    columns: () => terminal ?? 80,
  })
  return {
    env: { HOME: home, ...env },
    cwd: home,
    stdin: { isTerminal, chunks: () => chunksOf(input) },
    out: outlet('out'),
    err: outlet('err'),
    now: () => now ?? Date.now(),
    stopSignal: () => stop,
    readsEnd: () => options.stop,
  }
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
