import type { Stats } from 'node:fs'
import { usage } from './cli-error.ts'

/** Throws `usage` if others can read or change a file; `holds` says why that matters. A pipe is always private. */
export function refuseShared(path: string, stat: Stats, holds: string): void {
  // Windows protects a user's folders by other means.
  if (process.platform === 'win32' || !stat.isFile() || (stat.mode & 0o077) === 0) return
  throw usage(
    `${path} can be read or changed by others and holds ${holds}; it is not used.`,
    `Keep it to yourself with: chmod 600 ${path}`,
  )
}
