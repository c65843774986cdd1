// Bundles the program into dist/, as CommonJS: custody.cjs, which starts it; parts/, its files (see parts.mjs); cache/, V8's
// compiled code of all of them for the pinned runtime; and man/, its man pages. Also builds the libraries, which share nothing
// with the program, and types/, their declarations. Needs the pinned Node.js first in npm's path, because it reads TypeScript.
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { pinnedRuntime } from '../bin/hand-over.js'
import { files } from './parts.mjs'

const needed = Promise.all([import('rolldown'), import('./replaced.mjs'), import('./mended.ts')])
const [{ build }, replaced, { mends }] = await needed.catch(complain)

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
  checks: { ineffectiveDynamicImport: false, pluginTimings: false },
  // Warnings are errors: an import that the bundler cannot resolve, for example, would fail at run time.
  onLog: (level, log, handle) => handle(level === 'warn' ? 'error' : level, log),
  transform: {
    target: 'node24',
    define: {
      // undici's own switch for its Node.js builds: leaves out the experimental parser.
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
  // An import() would start the ESM loader, which takes 27 ms; require() of the same module takes 1 ms.
  dynamicImportInCjs: false,
  // The launcher reads files as Latin-1, which V8 stores with one byte per character.
  charset: 'ascii',
  comments: false,
  // Keeps names for stack traces in logs, and line breaks, because Node.js prints the source line of an uncaught error.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
}

/** Commands that people run every day. */
const everyDay = ['--version', 'doctor', 'manifests report PO-1041', 'items summary', 'fulfillments ls']
everyDay.push('events tail', 'items ls')

/** Shares client.cjs with testing.cjs, so that a test catches errors of the classes that it imports. */
const externalClient = {
  name: 'external-client',
  resolveId: (id) => (id.endsWith('/client/library.ts') ? { id: './client.cjs', external: true } : undefined),
}

const { document, answerShapes, unneeded, whenAsked, measuredWhenAsked } = replaced
const program = await bundle(
  'cli/main.ts',
  [document, answerShapes, unneeded, whenAsked, measuredWhenAsked, ...mends],
  {
    // Written below, once the build has succeeded.
    write: false,
    // Initialises a module on first use, not when its file is loaded.
    strictExecutionOrder: true,
    entryFileNames: 'custody.cjs',
    chunkFileNames: 'parts/[name]-[hash].cjs',
    codeSplitting: { groups: Object.entries(files).map(group) },
  },
)
rmSync(dist, { recursive: true, force: true })
mkdirSync(join(dist, 'parts'), { recursive: true })
// Each file starts with a hash of the rest: V8 checks cached code by the source's length alone, the launcher by this hash.
for (const { fileName, code } of program.output)
  writeFileSync(join(dist, fileName), `/*${hash('sha256', code).slice(0, 16)}*/${code}`)
// The libraries are CommonJS, which `import` and `require` can both load, so that each class exists once.
await bundle('client/library.ts', [replaced.table, replaced.listShapes], {
  entryFileNames: 'client.cjs',
})
await bundle('testing/start-custody.ts', [replaced.document, externalClient], {
  entryFileNames: 'testing.cjs',
  chunkFileNames: 'testing/[name].cjs',
})
await Promise.all([declare(), cacheCompiledCode(), run(runtime, [join(root, 'scripts', 'docs.ts'), '--man'])])

/** A group includes the modules that its own modules import, except those in an earlier group. */
function group([name, modules], at) {
  return { name, priority: 9 - at, test: (id) => modules.includes(relative(src, id)) }
}

async function bundle(module, plugins, { write = true, ...more }) {
  const used = new Set()
  const watched = plugins.map((plugin) => watchedBy(used, plugin))
  const result = await build({
    ...input,
    input: join(src, module),
    plugins: watched,
    write,
    output: { ...output, ...more },
  })
  // For example, a newer version of a package that holds the code in another file.
  const unused = plugins.filter((plugin) => !used.has(plugin)).map(({ name }) => name)
  if (unused.length > 0) throw new Error(`${module} was built without: ${unused.join(', ')}`)
  return result
}

/** Notes a plugin that changes something. */
function watchedBy(used, plugin) {
  const hooks = ['resolveId', 'load', 'transform'].filter((hook) => hook in plugin)
  const watch =
    (hook) =>
    (...given) => {
      const result = plugin[hook](...given)
      if (result !== undefined) used.add(plugin)
      return result
    }
  return { name: plugin.name, ...Object.fromEntries(hooks.map((hook) => [hook, watch(hook)])) }
}

/** The declarations of `custody/testing` are written by hand, so that they expose nothing else of the engine. */
async function declare() {
  cpSync(join(src, 'testing', 'library.d.ts'), join(dist, 'types', 'testing', 'library.d.ts'))
  writeFileSync(join(dist, 'types', 'package.json'), '{ "type": "commonjs" }\n')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(runtime, [tsc, '--project', join(root, 'tsconfig.library.json')])
}

/** Runs a few ordinary commands in a temporary home, the last one over HTTP; then loads all parts. */
async function cacheCompiledCode() {
  mkdirSync(join(dist, 'cache'))
  const home = join(dist, 'home')
  const { startCustody } = await import(join(dist, 'testing.cjs'))
  const { apiKey, listen, close } = await startCustody()
  // Compiled code contains hashes of names: with a random seed, no two builds would be equal.
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

/** npx also runs `prepare` before anything is installed; if that failed, npm would cache a broken custody forever. */
function complain(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('build: the dependencies are not installed; run: npm ci')
  process.exit(process.env.npm_lifecycle_event === 'prepare' ? 0 : 1)
}
