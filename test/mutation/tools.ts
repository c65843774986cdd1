import { hash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execaSync } from 'execa'

export const root = join(import.meta.dirname, '..', '..')

const wanted = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8')

/** Where what judges the tests is installed: it has a lockfile of its own, and a folder for each state of it and for each working tree. */
export const tools = join(tmpdir(), `custody-mutation-${hash('sha256', root + wanted).slice(0, 12)}`)

/** Once: others may be at work with it. */
export function installTools(): void {
  const mark = join(tools, 'installed')
  if (existsSync(mark)) return
  mkdirSync(tools, { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(join(import.meta.dirname, name), join(tools, name))
  run(tools, {}, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--silent')
  // The vitest of the tests themselves: there may be only one in a process.
  symlinkSync(join(root, 'node_modules', 'vitest'), join(tools, 'node_modules', 'vitest'))
  writeFileSync(mark, '')
}

/** Throws if the command fails. */
export function run(cwd: string, more: Record<string, string>, command: string, ...words: string[]): void {
  const PATH = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
  execaSync(command, words, { cwd, env: { PATH, NO_COLOR: '1', ...more }, stdio: 'inherit' })
}
