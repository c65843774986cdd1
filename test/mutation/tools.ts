import { hash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execaSync } from 'execa'

export const root = join(import.meta.dirname, '..', '..')

const wanted = readFileSync(join(import.meta.dirname, 'package-lock.json'), 'utf8')

/**
 * The folder with the tools that judge the tests: they have their own lockfile, and a folder for each version of it and each
 * working tree.
 */
export const tools = join(tmpdir(), `custody-mutation-${hash('sha256', root + wanted).slice(0, 12)}`)

/** Once, because others may be using it. */
export function installTools(): void {
  const mark = join(tools, 'installed')
  if (existsSync(mark)) return
  mkdirSync(tools, { recursive: true })
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(join(import.meta.dirname, name), join(tools, name))
  run(tools, {}, 'npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--legacy-peer-deps', '--silent')
  // The tests' own vitest: a process can contain only one.
  symlinkSync(join(root, 'node_modules', 'vitest'), join(tools, 'node_modules', 'vitest'))
  writeFileSync(mark, '')
}

/** Throws if the command fails. */
export function run(cwd: string, more: Record<string, string>, command: string, ...words: string[]): void {
  const PATH = `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
  execaSync(command, words, { cwd, env: { PATH, NO_COLOR: '1', ...more }, stdio: 'inherit' })
}
