import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

// The operators' real tool, except for its view of the machine: connections, files, the process number, whether stdout is a
// file, memory; and except for the rows of a chunk.

const src = join(import.meta.dirname, '../../src')
const ours = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href

/** Rows of a chunk: files of hundreds of rows have several. */
const chunkRows = 20

/** Modules that use the machine's files; file-lock.ts is among the changes, so it must not be loaded earlier. */
const withFiles = /\/src\/cli\//

registerHooks({
  resolve(specifier, context, next) {
    // Its CommonJS build has no named exports outside of a bundle.
    if (specifier.startsWith('@e965/xlsx/')) return next('@e965/xlsx', context)
    if (specifier.endsWith('/http-transport.ts')) return { url: ours('tool-http.ts'), shortCircuit: true }
    const isOfFile = specifier === 'node:fs' && withFiles.test(context.parentURL ?? '')
    return isOfFile ? { url: ours('tool-files.ts'), shortCircuit: true } : next(specifier, context)
  },
  load(url, context, next) {
    const loaded = next(url, context)
    const wanted = changes.filter(({ file }) => url.endsWith(file))
    if (wanted.length === 0) return loaded
    let source = String(loaded.source)
    for (const { file, from, to } of wanted) {
      left.delete(file)
      if (!source.includes(from)) throw new Error(`${file} has no ${from}`)
      source = source.replace(from, to)
    }
    return { ...loaded, source }
  },
})

const changes = [
  { file: '/sqlite/file-lock.ts', from: "'node:fs'", to: `'${ours('tool-files.ts')}'` },
  // Other threads report the unpacked size of a workbook's archive.
  {
    file: '/files/read-sheet.ts',
    from: 'import {',
    to: `import { outside } from '${ours('machine.ts')}'\nimport {`,
  },
  {
    file: '/files/read-sheet.ts',
    from: 'await unpacked(name, bytes)',
    to: 'await outside(unpacked(name, bytes))',
  },
  {
    file: '/warehouse/warehouse-work.ts',
    from: 'import { own }',
    to: `import { shaken } from '${ours('faulty-database.ts')}'\nimport { own }`,
  },
  {
    file: '/warehouse/warehouse-work.ts',
    from: 'async (db) => {',
    to: 'async (db_) => {\nconst db = shaken(db_)',
  },
  // A desk that dies leaves the process of all others.
  { file: '/warehouse/receive.ts', from: "process.on('exit', endedNow)", to: '' },
  { file: '/imports/plan-file.ts', from: 'chunkRows = 5000', to: `chunkRows = ${chunkRows}` },
  { file: '/base/drafts.ts', from: 'import { ', to: "import { pidHere } from 'node:fs'\nimport { " },
  { file: '/base/drafts.ts', from: 'process.pid', to: 'pidHere()' },
  { file: '/base/drafts.ts', from: 'machineMark = once(', to: 'machineMark = (' },
  { file: '/base/memory.ts', from: '= 150 * 1024 * 1024', to: '= Number.POSITIVE_INFINITY' },
  { file: '/connection/database-place.ts', from: '!existsSync(place)', to: 'false' },
  {
    file: '/database/mirror.ts',
    from: "{ resolve } from 'node:path'",
    to: "{ databasePath as resolve } from 'node:fs'",
  },
  { file: '/events/cursor-file.ts', from: '!fstatSync(1).isFile()', to: 'true' },
]

/** Modules not replaced yet. */
const left = new Set(changes.map(({ file }) => file))

type Program = typeof import('../../src/cli/program/program.ts')
let loaded: Promise<Program> | undefined

/** Loads everything, because no seed determines the moment of a later load. */
export function loadTool(): Promise<Program> {
  Object.assign(globalThis, { CUSTODY_VERSION: 'simulated' })
  const folders =
    'ask,base,command-line,connection,events,files,find,imports,list,manifests,output,program,views,webhooks'
  const nouns = 'events,fulfillments,items,manifests,products,sandbox,transfers,webhooks'
  const files = [
    ...[`cli/{${folders}}/**/*.ts`, `cli/commands/{${nouns}}/*.ts`, 'cli/report/print-report.ts'],
    ...['cli/commands/mirror/*.ts', 'cli/commands/report/*statement.ts'],
    'cli/commands/warehouse/*.ts',
  ]
  loaded ??= Promise.all(globSync(files, { cwd: src }).map((file) => import(join(src, file)))).then(() => {
    if (left.size > 0) throw new Error(`not loaded, or named otherwise: ${[...left]}`)
    return import('../../src/cli/program/program.ts')
  })
  return loaded
}
