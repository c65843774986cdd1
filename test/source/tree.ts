import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceText } from './rule.ts'

const root = join(import.meta.dirname, '..', '..')
const notOurs = new Set(['.git', 'node_modules', 'dist', 'release', 'coverage', '.custody'])

/** Every text file of the project except what is installed, built, or left by a run. */
export function projectFiles(): SourceText[] {
  return readdirSync(root, { recursive: false, withFileTypes: true })
    .filter((entry) => !notOurs.has(entry.name))
    .flatMap((entry) => (entry.isDirectory() ? filesUnder(entry.name) : [entry.name]))
    .filter((path) => !/\.(log|errors\.csv)$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'))
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
}
