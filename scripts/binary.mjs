// Builds dist/custody: the pinned Node.js and all of dist/ in one executable ("SEA"). It needs no Node.js, and runs on the
// system and processor that it was built on.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { pinnedRuntime } from '../bin/hand-over.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'dist')
const binary = join(dist, 'custody')
const runtime = pinnedRuntime() ?? process.execPath
const draft = mkdtempSync(join(tmpdir(), 'custody-binary-'))
const blob = join(draft, 'blob')

rmSync(binary, { force: true })
execFileSync(runtime, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' })
try {
  const copy = copyOfRuntime()
  await makeBlob()
  // A separate process hides its warnings about unknown sections, which mean nothing here.
  run(
    join(root, 'node_modules', 'postject', 'dist', 'cli.js'),
    copy,
    'NODE_SEA_BLOB',
    blob,
    '--sentinel-fuse',
    fuse(),
  )
  copyFileSync(copy, binary)
} finally {
  rmSync(draft, { recursive: true, force: true })
}
console.log(`${binary}: ${execFileSync(binary, ['--version'], { encoding: 'utf8', env: {} }).trim()}`)

function copyOfRuntime() {
  const copy = join(draft, 'custody')
  copyFileSync(runtime, copy)
  chmodSync(copy, 0o755)
  return copy
}

/** The marker by which Node.js detects an embedded program; its binary contains it once. */
function fuse() {
  const [found] = /NODE_SEA_FUSE_[0-9a-f]{32}/.exec(readFileSync(runtime, 'latin1')) ?? []
  if (found === undefined) throw new Error(`${runtime} does not support single-file executables`)
  return found
}

async function makeBlob() {
  const config = {
    main: join(draft, 'main.cjs'),
    output: blob,
    disableExperimentalSEAWarning: true,
    assets: Object.fromEntries(files().map((place) => [place, join(dist, place)])),
  }
  await build({
    input: join(root, 'scripts', 'binary-main.cjs'),
    platform: 'node',
    output: { file: config.main, format: 'cjs' },
  })
  writeFileSync(join(draft, 'config.json'), JSON.stringify(config))
  run('--experimental-sea-config', join(draft, 'config.json'))
}

/** Shows the output only if it fails. */
function run(...args) {
  execFileSync(runtime, args, { stdio: 'pipe' })
}

/** The program's files in dist/, as `parts/x.cjs`. */
function files() {
  return readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length + 1))
    .filter((place) => /^(?:custody\.cjs$|parts\b|cache\b)/.test(place))
}
