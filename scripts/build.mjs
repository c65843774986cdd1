// Bundles the program into dist/, as CommonJS: custody.cjs, what every command uses; parts/, what some use (parts.mjs);
// vendor/, the heavy packages (vendor.mjs); cache/, V8's compiled code of them all for the pinned runtime. A module
// reached by import() is initialised only when it is reached. Runs under Node.js 20 too (`npm ci`).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pinnedRuntime } from '../bin/hand-over.js'
import { openApiMade } from './openapi.mjs'
import { buildProgram } from './parts.mjs'
import { builtinsOnDemand, fileOf, vendorApart, vendorEntry } from './vendor.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const entry = join(root, 'src', 'cli', 'main.ts')

const { build } = await import('esbuild').catch(complain)

const options = {
  absWorkingDir: root,
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  // Names stay, for the stack of an error in a log; without them the start would be 1 % faster.
  minifySyntax: true,
  minifyWhitespace: true,
  // Node.js shows the line of an error that nothing caught: let that be a line, not the whole program.
  lineLimit: 200,
  legalComments: 'none',
  logLevel: 'warning',
  loader: { '.csv': 'text', '.json': 'json' },
  // An import() that stays one would wake the ESM loader, 27 ms; require() of the same module costs 1 ms.
  supported: { 'dynamic-import': false },
  external: ['pg-native'],
  define: {
    CUSTODY_VERSION: JSON.stringify(packageJson('.').version),
    'import.meta.filename': '__filename',
    'import.meta.dirname': '__dirname',
  },
}

await main()

async function main() {
  const wanted = new Map()
  const plugins = [openApiMade(build, options), vendorApart(wanted), builtinsOnDemand]
  const program = await buildProgram(build, options, entry, plugins)
  const vendors = await Promise.all([...wanted].map(([name, specifiers]) => buildVendor(name, specifiers)))

  const files = [...program, ...vendors].map(({ place, text }) => ({ place, text: stamped(place, text) }))
  rmSync(dist, { recursive: true, force: true })
  for (const folder of ['vendor', 'parts', 'cache']) mkdirSync(join(dist, folder), { recursive: true })
  for (const { place, text } of files) writeFileSync(join(dist, place), text)
  cacheCompiledCode()
}

async function buildVendor(name, specifiers) {
  const contents = vendorEntry(specifiers, packageJson(`node_modules/${name}`).type === 'module')
  const result = await build({ ...options, stdin: { contents, resolveDir: root } })
  return { place: `vendor/${fileOf(name)}`, text: result.outputFiles[0].text }
}

/** npx runs `prepare` before anything is installed too; if that failed, npm would remember a broken custody for good. */
function complain(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  console.error('build: the dependencies are not installed; run: npm ci')
  process.exit(process.env.npm_lifecycle_event === 'prepare' ? 0 : 1)
}

function packageJson(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
}

/** The first bytes are a hash of the rest: V8 checks cached code by the source's length alone, the launcher by this. */
function stamped(place, text) {
  // The launcher reads the file as Latin-1, which V8 keeps at one byte a character.
  const [strange] = /[^\0-\x7f].{0,20}/.exec(text) ?? []
  if (strange !== undefined) throw new Error(`${place} is not plain ASCII, write it as \\u...: ${strange}`)
  const stamp = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return `/*${stamp}*/${text}`
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
