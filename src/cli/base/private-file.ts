import type { Stats } from 'node:fs'
import { usage } from './cli-error.ts'

/** Throws `usage` where others can read or change a file; `holds` is why that matters. A pipe is nobody else's. */
export function refuseShared(path: string, stat: Stats, holds: string): void {
  // Windows keeps a user's folders to the user by other means.
  if (process.platform === 'win32' || !stat.isFile() || (stat.mode & 0o077) === 0) return
  throw usage(
    `${path} can be read or changed by others and holds ${holds}; it is not used.`,
    `Keep it to yourself with: chmod 600 ${path}`,
  )
}
