// Bundles the program into dist/, as CommonJS: custody.cjs, which starts it; parts/, its files (parts.mjs says which); cache/,
// V8's compiled code of them all for the pinned runtime. Beside it the libraries, which share nothing with the program, and
// types/, their declarations. Runs under Node.js 20 too (`npm ci`).
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pinnedRuntime } from '../bin/hand-over.js'
import { entry, files as listed, partFaults } from './parts.mjs'
import { inPlace, unneeded } from './replaced.mjs'

const { rolldown } = await import('rolldown').catch(complain)

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const src = join(root, 'src')
const runtime = pinnedRuntime() ?? process.execPath
const made = JSON.parse(execFileSync(runtime, [join(root, 'scripts', 'made.mjs')]))

const input = {
  cwd: root,
  platform: 'node',
  external: ['pg-native'],
  moduleTypes: { '.csv': 'text' },
  checks: { ineffectiveDynamicImport: false },
  // What the bundler only warns of, such as an import that it cannot resolve, would fail where the program runs.
  onLog: (level, log, handle) => handle(level === 'warn' ? 'error' : level, log),
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
}

/** The errors that a test catches are those of the client that it imports. */
const clientBeside = {
  name: 'client-beside',
  resolveId: (id) => (id.endsWith('/client/library.ts') ? { id: './client.cjs', external: true } : undefined),
}

const partsChecked = {
  name: 'parts-checked',
  generateBundle(_, files) {
    const isReached = (id) => this.getModuleInfo(id).dynamicImporters.length > 0
    const reached = [...this.getModuleIds()].filter(isReached).map(named)
    const held = Object.values(files).flatMap(({ name, moduleIds }) => (name in listed ? moduleIds : []))
    const faults = partFaults(listed, { reached, held: held.map(named) })
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

/** What starts every day. */
const warmed = [
  '--version',
  'doctor',
  'manifests report PO-1041',
  'items summary',
  'fulfillments ls',
  'events tail',
  'items ls',
]

await main()

async function main() {
  const program = await bundled(entry, [inPlace(made.document), unneeded, partsChecked], {
    // A module is initialised when it is reached, not when the file that holds it is loaded.
    strictExecutionOrder: true,
    entryFileNames: 'custody.cjs',
    chunkFileNames: 'parts/[name].cjs',
    codeSplitting: { groups: Object.entries({ main: [entry], ...listed }).map(group) },
  })
  rmSync(dist, { recursive: true, force: true })
  for (const { fileName, code } of program) write(fileName, stamped(code))
  const types = declarations()
  await library('client', 'client/library.ts', [inPlace(made.table)])
  await library('testing', 'testing/start-custody.ts', [inPlace(made.document), clientBeside])
  await cacheCompiledCode()
  await types
}

/** What the modules import goes with them, but for what a group before has. */
function group([name, modules], at) {
  return { name, priority: 9 - at, test: (id) => modules.includes(named(id)) }
}

function named(id) {
  return relative(src, id).replaceAll('\\', '/')
}

/**
 * A library is CommonJS, and a module that hands its exports on: whoever loads both has each class once. Its declarations are
 * written as CommonJS too, which either may import.
 */
async function library(name, module, plugins) {
  const files = await bundled(module, plugins, {
    entryFileNames: `${name}.cjs`,
    chunkFileNames: `${name}/[name].cjs`,
  })
  for (const { fileName, code } of files) write(fileName, code)
  const names = files[0].exports.toSorted().join(', ')
  write(`${name}.mjs`, `import library from './${name}.cjs'\nexport const { ${names} } = library\n`)
  for (const end of ['cts', 'mts']) write(`${name}.d.${end}`, declared[name])
}

function declarations() {
  write('types/package.json', '{ "type": "commonjs" }\n')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  return promisify(execFile)(runtime, [tsc, '--project', join(root, 'tsconfig.library.json')])
}

/** The files that a module and what it imports become. */
async function bundled(module, plugins, more) {
  const bundle = await rolldown({ ...input, input: join(src, module), plugins })
  const { output: files } = await bundle.generate({ ...output, ...more })
  await bundle.close()
  return files
}

function write(name, text) {
  mkdirSync(dirname(join(dist, name)), { recursive: true })
  writeFileSync(join(dist, name), text)
}

/** The first bytes are a hash of the rest: V8 checks cached code by the source's length alone, the launcher by this. */
function stamped(text) {
  return `/*${createHash('sha256').update(text).digest('hex').slice(0, 16)}*/${text}`
}

/** A few ordinary commands in a home of their own, the last over HTTP, against a service that has nothing; then all the parts. */
async function cacheCompiledCode() {
  mkdirSync(join(dist, 'cache'))
  const home = mkdtempSync(join(tmpdir(), 'custody-build-'))
  const service = createServer((_, response) => {
    response.setHeader('content-type', 'application/json')
    response.end('{"page_size":20,"count":0,"total":0,"current_page_number":1,"results":[]}')
  })
  await new Promise((listening) => service.listen(0, '127.0.0.1', listening))
  const overHttp = {
    CUSTODY_BASE_URL: `http://127.0.0.1:${service.address().port}/v1`,
    CUSTODY_API_KEY: 'none',
  }
  // Compiled code holds hashes of names: with a seed of chance no two builds would be the same.
  const warm = ['--hash-seed=1', join(root, 'scripts', 'warm.cjs')]
  const launcher = join(root, 'bin', 'custody.js')
  const run = (args, env) =>
    promisify(execFile)(runtime, args, { env: { HOME: home, ...env }, timeout: 60_000 })
  try {
    await run([launcher, 'sandbox', 'seed'])
    for (const command of warmed) await run([...warm, ...command.split(' ')])
    await run([...warm, 'items', 'ls'], overHttp)
    await run(warm)
  } catch (error) {
    // Without the cache everything still works, only slower to start.
    console.error(`build: not all compiled code was cached: ${error.message}`)
  } finally {
    service.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** npx runs `prepare` before anything is installed too; if that failed, npm would remember a broken custody for good. */
function complain(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('build: the dependencies are not installed; run: npm ci')
  process.exit(process.env.npm_lifecycle_event === 'prepare' ? 0 : 1)
}
