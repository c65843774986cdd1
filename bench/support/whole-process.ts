import { type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** Throws if nothing was built. */
export function builtProgram(): string {
  if (!existsSync(join(root, 'dist', 'custody.cjs'))) throw new Error('Nothing is built; run: npm run build')
  return join(root, 'bin', 'custody.js')
}

/** Milliseconds of a whole process, from start to end. Throws if it fails. */
export function timeProcess(
  command: string,
  args: readonly string[],
  options: SpawnSyncOptions = {},
): number {
  const started = performance.now()
  const { status, error, stderr } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...options,
  })
  const ended = performance.now()
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error ?? stderr}`)
  return ended - started
}

/** An environment that hides this machine's settings and keeps everything the program writes in `folder`. */
export function isolatedEnvironment(folder: string, database: string): Record<string, string> {
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', CUSTODY_DATABASE: database }
  for (const name of ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME']) {
    env[name] = folder
  }
  return env
}

/** Makes a Node.js process record its usage; after it has ended, `read` returns its peak resident memory in MiB. */
export function peakMemory(folder: string): {
  env: Record<string, string>
  read(): number
  cpuSeconds(): number
} {
  const hook = join(folder, 'peak.cjs')
  const result = join(folder, 'peak.txt')
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(result)}, JSON.stringify(process.resourceUsage())))`,
  )
  const used = (): NodeJS.ResourceUsage => JSON.parse(readFileSync(result, 'utf8'))
  return {
    env: { NODE_OPTIONS: `--require ${hook}` },
    read: () => used().maxRSS / 1024,
    cpuSeconds: () => (used().userCPUTime + used().systemCPUTime) / 1e6,
  }
}
