// npm run docs: writes docs/api/ from the OpenAPI document and docs/commands.md from the program's help. npm run docs:man
// writes the man pages into dist/man/, as the build does.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nouns } from '../src/cli/program/commands.ts'
import { apiPages, type Document } from '../src/contract/document/api-pages.ts'
import { openApiDocument } from '../src/contract/document/openapi.ts'
import { commandsPage, manPages } from './help-pages.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// Replaces the bundler's `define` and its loader for CSV files.
Object.assign(globalThis, { CUSTODY_VERSION: version })
registerHooks({
  load: (url, context, next) =>
    url.endsWith('.csv')
      ? { format: 'module', source: 'export default ""', shortCircuit: true }
      : next(url, context),
})

if (process.argv.includes('--man')) {
  writeFolder(join(root, 'dist', 'man'), await manPages(nouns, version))
} else {
  writeFolder(join(root, 'docs', 'api'), apiPages(openApiDocument() as Document))
  writeFileSync(join(root, 'docs', 'commands.md'), await commandsPage(nouns))
}

function writeFolder(folder: string, pages: Iterable<[string, string]>): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
}
