import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { cpuOf } from './cpu.ts'

/** A server in its own process. */
export type Served = {
  origin: string
  /** CPU seconds so far. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** Starts a Node.js program that prints its address first; `log`: what to do with its stderr. */
export function serve(args: readonly string[], log: 'inherit' | 'ignore' = 'inherit'): Promise<Served> {
  return startServer(process.execPath, args, log)
}

/** The same on one core, if there are several. */
export function serveOn(core: number, args: readonly string[]): Promise<Served> {
  const [command, ...rest] = onCore(core, args)
  return startServer(command, rest)
}

/** Runs a Node.js program on one core and returns the JSON that it prints. */
export async function answerOf<T>(core: number, args: readonly string[]): Promise<T> {
  const [command, ...rest] = onCore(core, args)
  const child = spawn(command, rest, { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  child.stdout.on('data', (piece) => {
    output.stdout += piece
  })
  child.stderr.on('data', (piece) => {
    output.stderr += piece
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${output.stderr}`)
  return JSON.parse(output.stdout) as T
}

function onCore(core: number, args: readonly string[]): [string, ...string[]] {
  if (process.platform !== 'linux' || cpus().length <= core) return [process.execPath, ...args]
  return ['taskset', '--cpu-list', String(core), process.execPath, ...args]
}

async function startServer(
  command: string,
  args: readonly string[],
  log: 'inherit' | 'ignore' = 'inherit',
): Promise<Served> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', log] })
  const ended = once(child, 'close')
  const [line] = await Promise.race([once(child.stdout, 'data'), ended])
  const origin = /http:\/\/[^\s/]+/.exec(String(line))?.[0]
  if (origin === undefined) throw new Error(`${args.join(' ')} did not serve: ${line}`)
  child.stdout.resume()
  return {
    origin,
    cpuSeconds: () => cpuSecondsOf(child),
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** taskset becomes the program that it starts, so the process is the server itself. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  return cpuOf(String(pid))?.own ?? 0
}
