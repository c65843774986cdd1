import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** Calls that change the disk, or sync it. */
const changing = [
  'openSync',
  'writeSync',
  'writeFileSync',
  'appendFileSync',
  'ftruncateSync',
  'fsyncSync',
  'fdatasyncSync',
  'renameSync',
  'mkdirSync',
  'rmSync',
  'linkSync',
] as const
type Changing = (typeof changing)[number]

/** The process dies at a call: nothing later reaches the disk. */
export class Died extends Error {}

/** The disk calls of `task` in order: the call and the file's last name, if any. */
export function callsOf(task: () => void): string[] {
  const calls: string[] = []
  watching((call, path) => void calls.push(path === undefined ? call : `${call} ${path}`), task)
  return calls
}

/**
 * Runs `task` and makes its call number `at`, from 1, fail with a system error, and every later one too: a full disk stays
 * full. With 'dies' it throws `Died`. Returns false if there were fewer calls.
 */
export function failingAt(at: number, how: 'dies' | 'ENOSPC' | 'EROFS' | 'EIO', task: () => void): boolean {
  let calls = 0
  try {
    watching((call) => {
      calls += 1
      if (calls < at) return
      if (how === 'dies') throw new Died()
      throw Object.assign(new Error(`${how}: ${call}`), { code: how, syscall: call.replace('Sync', '') })
    }, task)
  } catch (error) {
    if (!(error instanceof Died)) throw error
  }
  return calls >= at
}

function watching(onCall: (call: string, path: string | undefined) => void, task: () => void): void {
  const real = new Map<Changing, unknown>(changing.map((name) => [name, fs[name]]))
  let depth = 0
  for (const name of changing) {
    const call = fs[name] as (...args: unknown[]) => unknown
    const watched = (...args: unknown[]): unknown => {
      // Calls that Node.js makes itself are part of the call.
      const isOurs = depth === 0
      if (isOurs) onCall(name, typeof args[0] === 'string' ? args[0].split('/').at(-1) : undefined)
      depth += 1
      try {
        return call(...args)
      } finally {
        depth -= 1
      }
    }
    Object.assign(fs, { [name]: watched })
  }
  syncBuiltinESMExports()
  try {
    task()
  } finally {
    Object.assign(fs, Object.fromEntries(real))
    syncBuiltinESMExports()
  }
}
