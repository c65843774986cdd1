// Bundles the program into dist/, as CommonJS: custody.cjs, which starts it; parts/, its files (parts.mjs says which); cache/,
// V8's compiled code of them all for the pinned runtime. Beside it the libraries, which share nothing with the program, and
// types/, their declarations. Runs under Node.js 20 too (`npm ci`).
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pinnedRuntime } from '../bin/hand-over.js'
import { leftOut } from './left-out.mjs'
import { openApiMade, tableMade } from './made.mjs'
import { entry, files as listed, partFaults } from './parts.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const src = join(root, 'src')

const { rolldown } = await import('rolldown').catch(complain)

const input = {
  cwd: root,
  platform: 'node',
  external: ['pg-native'],
  moduleTypes: { '.csv': 'text' },
  transform: {
    target: 'node24',
    define: {
      // undici's own switch of its builds for Node.js: without the experimental parser.
      esbuildDetection: 'true',
      CUSTODY_VERSION: JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version),
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
    },
  },
}
const output = {
  format: 'cjs',
  // An import() that stays one would wake the ESM loader, 27 ms; require() of the same module costs 1 ms.
  dynamicImportInCjs: false,
  // The launcher reads a file as Latin-1, which V8 keeps at one byte a character.
  charset: 'ascii',
  comments: false,
  // Names stay, for the stack of an error in a log; so do lines: Node.js shows the one of an error that nothing caught.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  // A module is initialised when it is reached, not when the file that holds it is loaded.
  strictExecutionOrder: true,
}

/** The errors that a test catches are those of the client that it imports. */
const clientBeside = {
  name: 'client-beside',
  resolveId: (id) => (id.endsWith('/client/library.ts') ? { id: './client.cjs', external: true } : undefined),
}

const partsChecked = {
  name: 'parts-checked',
  generateBundle(_, files) {
    const reached = [...this.getModuleIds()].filter(
      (id) => this.getModuleInfo(id).dynamicImporters.length > 0,
    )
    const ofMany = Object.values(files).filter(({ name }) => name in listed)
    const held = ofMany.flatMap(({ moduleIds }) => moduleIds)
    const faults = partFaults(listed, { reached: reached.map(named), held: held.map(named) })
    if (faults.length > 0) throw new Error(`scripts/parts.mjs:\n${faults.join('\n')}`)
  },
}

/** What the engine is to a partner's tests is declared by hand: the rest of it is nobody's to import. */
const declared = {
  client: "export * from './types/client/library.js'\n",
  testing: `export type * from './types/testing/custody.js'
import type { StartCustody } from './types/testing/custody.js'
export declare const startCustody: StartCustody
`,
}

await main()

async function main() {
  const files = await bundled(join(src, entry), {
    plugins: [openApiMade(bundled), leftOut, partsChecked],
    entryFileNames: 'custody.cjs',
    chunkFileNames: 'parts/[name].cjs',
    codeSplitting: { groups: Object.entries({ main: [entry], ...listed }).map(group) },
  })
  rmSync(dist, { recursive: true, force: true })
  for (const folder of ['parts', 'cache', 'types']) mkdirSync(join(dist, folder), { recursive: true })
  for (const { fileName, code } of files) writeFileSync(join(dist, fileName), stamped(code))
  const types = declarations()
  await library('client', 'client/library.ts', { plugins: [tableMade(bundled)] })
  await library('testing', 'testing/start-custody.ts', {
    plugins: [openApiMade(bundled), clientBeside],
  })
  cacheCompiledCode()
  await types
}

/**
 * A library is CommonJS, and a module that hands its exports on: whoever loads both has each class once. Its declarations are
 * written as CommonJS too, which either may import.
 */
async function library(name, entry, { plugins }) {
  const files = await bundled(join(src, entry), {
    plugins,
    preserveEntrySignatures: 'strict',
    strictExecutionOrder: false,
    entryFileNames: `${name}.cjs`,
    chunkFileNames: `${name}/[name].cjs`,
  })
  for (const { fileName, code } of files) {
    mkdirSync(dirname(join(dist, fileName)), { recursive: true })
    writeFileSync(join(dist, fileName), code)
  }
  const names = files[0].exports.toSorted().join(', ')
  writeFileSync(
    join(dist, `${name}.mjs`),
    `import library from './${name}.cjs'\nexport const { ${names} } = library\n`,
  )
  for (const end of ['cts', 'mts']) writeFileSync(join(dist, `${name}.d.${end}`), declared[name])
}

function declarations() {
  writeFileSync(join(dist, 'types', 'package.json'), '{ "type": "commonjs" }\n')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return promisify(execFile)(process.execPath, [tsc, '--project', join(root, 'tsconfig.library.json')]).catch(
    (error) => {
      throw new Error(`build: no declarations were made:\n${error.stdout || error.message}`)
    },
  )
}

/** What the modules import goes with them, but for what a group before has. */
function group([name, modules], at) {
  return { name, priority: 9 - at, test: (id) => modules.includes(named(id)) }
}

function named(id) {
  return relative(src, id).replaceAll('\\', '/')
}

/** The files that a module and what it imports become. */
async function bundled(module, { plugins = [], preserveEntrySignatures = 'allow-extension', ...more } = {}) {
  const bundle = await rolldown({
    ...input,
    preserveEntrySignatures,
    input: module,
    plugins,
    checks: { ineffectiveDynamicImport: false },
  })
  const { output: files } = await bundle.generate({ ...output, ...more })
  await bundle.close()
  return files
}

/** npx runs `prepare` before anything is installed too; if that failed, npm would remember a broken custody for good. */
function complain(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('build: the dependencies are not installed; run: npm ci')
  process.exit(process.env.npm_lifecycle_event === 'prepare' ? 0 : 1)
}

/** The first bytes are a hash of the rest: V8 checks cached code by the source's length alone, the launcher by this. */
function stamped(text) {
  return `/*${createHash('sha256').update(text).digest('hex').slice(0, 16)}*/${text}`
}

/** Without the cache everything still works, only slower to start: so a failure here is told and not fatal. */
function cacheCompiledCode() {
  const runtime = pinnedRuntime() ?? process.execPath
  const limits = { encoding: 'utf8', maxBuffer: Number.POSITIVE_INFINITY, timeout: 60_000 }
  const child = spawnSync(runtime, [join(root, 'scripts', 'warm.cjs')], limits)
  if (child.status === 0) return
  console.error(
    `build: no compiled code was cached (${runtime}): ${child.stderr || child.error || child.signal}`,
  )
}
