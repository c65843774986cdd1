import { spawnSync } from 'node:child_process'
import { mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/**
 * A clone of the tree as it stands in a temporary folder, with what is installed: changes included that are not committed,
 * without what git does not know of. Answers where.
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
  const { status, stdout, stderr } = spawnSync('git', words, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
  return stdout.trim()
}
