// Bundles the program into dist/, as CommonJS: custody.cjs, which starts it; parts/, its files (parts.mjs says which); cache/,
// V8's compiled code of them all for the pinned runtime; man/, its man pages. Beside it the libraries, which share nothing with
// the program, and types/, their declarations. Needs the Node.js that npm finds first: the pinned one, which reads TypeScript.
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { pinnedRuntime } from '../bin/hand-over.js'
import { files } from './parts.mjs'

const needed = Promise.all([import('rolldown'), import('./replaced.mjs')])
const [{ build }, replaced] = await needed.catch(complain)

const root = dirname(import.meta.dirname)
const dist = join(root, 'dist')
const src = join(root, 'src')
const run = promisify(execFile)
const runtime = pinnedRuntime() ?? process.execPath

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
  dir: dist,
  format: 'cjs',
  // An import() that stays one would wake the ESM loader, 27 ms; require() of the same module costs 1 ms.
  dynamicImportInCjs: false,
  // The launcher reads a file as Latin-1, which V8 keeps at one byte a character.
  charset: 'ascii',
  comments: false,
  // Names stay, for the stack of an error in a log; so do lines: Node.js shows the one of an error that nothing caught.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
}

/** What is started every day. */
const everyDay = ['--version', 'doctor', 'manifests report PO-1041', 'items summary', 'fulfillments ls']
everyDay.push('events tail', 'items ls')

/** The errors that a test catches are those of the client that it imports. */
const clientBeside = {
  name: 'client-beside',
  resolveId: (id) => (id.endsWith('/client/library.ts') ? { id: './client.cjs', external: true } : undefined),
}

const program = await bundle('cli/main.ts', [replaced.document, replaced.unneeded, replaced.whenAsked], {
  // Not before it is without fault.
  write: false,
  // A module is initialised when it is reached, not when the file that holds it is loaded.
  strictExecutionOrder: true,
  entryFileNames: 'custody.cjs',
  chunkFileNames: 'parts/[name].cjs',
  codeSplitting: { groups: Object.entries(files).map(group) },
})
rmSync(dist, { recursive: true, force: true })
mkdirSync(join(dist, 'parts'), { recursive: true })
// The first bytes are a hash of the rest: V8 checks cached code by the source's length alone, the launcher by this.
for (const { fileName, code } of program.output)
  writeFileSync(join(dist, fileName), `/*${hash('sha256', code).slice(0, 16)}*/${code}`)
// The libraries are CommonJS, which either may import: whoever loads one both ways has each class once.
await bundle('client/library.ts', [replaced.table, replaced.whenAsked], { entryFileNames: 'client.cjs' })
await bundle('testing/start-custody.ts', [replaced.document, clientBeside], {
  entryFileNames: 'testing.cjs',
  chunkFileNames: 'testing/[name].cjs',
})
await Promise.all([declare(), cacheCompiledCode(), run(runtime, [join(root, 'scripts', 'docs.ts'), '--man'])])

/** What the modules import goes with them, but for what a group before has. */
function group([name, modules], at) {
  return { name, priority: 9 - at, test: (id) => modules.includes(relative(src, id)) }
}

function bundle(module, plugins, { write = true, ...more }) {
  return build({ ...input, input: join(src, module), plugins, write, output: { ...output, ...more } })
}

/** What the engine is to a partner's tests is declared by hand: the rest of it is nobody's to import. */
async function declare() {
  cpSync(join(src, 'testing', 'library.d.ts'), join(dist, 'types', 'testing', 'library.d.ts'))
  writeFileSync(join(dist, 'types', 'package.json'), '{ "type": "commonjs" }\n')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(runtime, [tsc, '--project', join(root, 'tsconfig.library.json')])
}

/** A few ordinary commands in a home of their own, the last over HTTP; then all the parts. */
async function cacheCompiledCode() {
  mkdirSync(join(dist, 'cache'))
  const home = join(dist, 'home')
  const { startCustody } = await import(join(dist, 'testing.cjs'))
  const { apiKey, listen, close } = await startCustody()
  // Compiled code holds hashes of names: with a seed of chance no two builds would be the same.
  const warm = ['--hash-seed=1', join(root, 'scripts', 'warm.cjs')]
  const start = (args, env) => run(runtime, args, { env: { HOME: home, ...env }, timeout: 60_000 })
  try {
    const { baseUrl } = await listen()
    await start([join(root, 'bin', 'custody.js'), 'sandbox', 'seed'])
    for (const command of everyDay) await start([...warm, ...command.split(' ')])
    await start([...warm, 'items', 'ls'], { CUSTODY_BASE_URL: baseUrl, CUSTODY_API_KEY: apiKey })
    await start(warm)
  } catch (error) {
    // Without the cache everything still works, only slower to start.
    console.error(`build: not all compiled code was cached: ${error.message}`)
  } finally {
    await close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** npx runs `prepare` before anything is installed too; if that failed, npm would remember a broken custody for good. */
function complain(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('build: the dependencies are not installed; run: npm ci')
  process.exit(process.env.npm_lifecycle_event === 'prepare' ? 0 : 1)
}
