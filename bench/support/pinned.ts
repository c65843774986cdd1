import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** A process that serves on loopback. */
export type Served = {
  origin: string
  pid: number
  /** Seconds of CPU used so far; 0 if the system does not report it. */
  cpuSeconds(): number
  stop(): Promise<void>
}

const hasTaskset = spawnSync('taskset', ['--version']).status === 0

/** Starts a Node.js program on one core and waits for the line with its address. */
export async function serveOn(core: number, args: readonly string[]): Promise<Served> {
  const child = start(core, args, 'ignore')
  const line = await firstLine(child)
  const [origin] = /http:\/\/[\d.]+:\d+/.exec(line) ?? []
  const { pid } = child
  if (origin === undefined || pid === undefined) throw new Error(`not ready: ${line}`)
  return {
    origin,
    pid,
    cpuSeconds: () => cpuSecondsOf(pid),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
    },
  }
}

/** Runs a Node.js program on one core and returns the JSON that it prints. `over` ends its input. */
export async function answerOf<T>(core: number, args: readonly string[], over?: AbortSignal): Promise<T> {
  const child = start(core, args, 'inherit')
  over?.addEventListener('abort', () => child.stdin?.end())
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  await new Promise((resolve) => child.once('close', resolve))
  return JSON.parse(text) as T
}

function start(core: number, args: readonly string[], stderr: 'ignore' | 'inherit'): ChildProcess {
  const pinned = hasTaskset ? ['taskset', '-c', String(core), process.execPath] : [process.execPath]
  const [command = '', ...rest] = [...pinned, ...args]
  return spawn(command, rest, { stdio: ['pipe', 'pipe', stderr] })
}

function firstLine({ stdout }: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!stdout) return reject(new Error('no output'))
    createInterface(stdout).once('line', resolve)
    stdout.once('close', () => reject(new Error('ended before it was ready')))
  })
}

/** User and system time, in hundredths of a second, from /proc. */
function cpuSecondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0
  }
}
