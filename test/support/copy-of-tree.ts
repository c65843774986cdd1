import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execaSync } from 'execa'

const root = join(import.meta.dirname, '..', '..')

/**
 * A clone of the working tree in a temporary folder, with its installed packages: includes uncommitted changes, but not what
 * git does not track. Returns its path.
 */
export function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'custody-copy-'))
  const commit = git(root, 'stash', 'create') || git(root, 'rev-parse', 'HEAD')
  git(root, 'clone', '--quiet', '--shared', '--no-checkout', root, copy)
  git(copy, 'checkout', '--quiet', '--detach', commit)
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

function git(cwd: string, ...words: string[]): string {
  return execaSync('git', words, { cwd }).stdout.trim()
}
