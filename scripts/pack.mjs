// The package as others install it. It is packed from a folder of its own: the checkout's package.json is private, so that nobody
// publishes it by mistake, and names what the build puts into dist/ as dependencies, which nobody who installs dist/ needs.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const contents = [
  ...['bin', 'fixtures', 'CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md'],
  ...['client', 'operating', 'scaling', 'testing'].map((page) => `docs/${page}.md`),
  ...['custody.cjs', 'parts', 'testing', 'types'].map((part) => `dist/${part}`),
  ...['client', 'testing'].flatMap((name) =>
    ['cjs', 'mjs', 'd.cts', 'd.mts'].map((end) => `dist/${name}.${end}`),
  ),
]
/** Of the packages that dist/ holds, those that its declarations name. */
const ofTypes = ['zod']

/** Packs what is built into a folder; answers the file. V8's compiled code stays out: it is one Node.js's on one processor. */
export function pack(to) {
  const draft = mkdtempSync(join(tmpdir(), 'custody-pack-'))
  try {
    for (const place of contents) cpSync(join(root, place), join(draft, place), { recursive: true })
    writeFileSync(join(draft, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    const flags = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', to]
    const [{ filename }] = JSON.parse(execFileSync('npm', flags, { cwd: draft, encoding: 'utf8' }))
    return join(to, filename)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function manifest() {
  const all = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, version, description, license, type, engines, bin, exports, dependencies } = all
  const needed = Object.entries(dependencies).filter(([name]) => ofTypes.includes(name))
  return {
    ...{ name, version, description, license, type, engines, bin, exports },
    dependencies: Object.fromEntries(needed),
  }
}
