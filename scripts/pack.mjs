// The package as others install it. It is packed from a folder of its own: the checkout's package.json is private, so that nobody
// publishes it by mistake, and names what the build puts into dist/ as dependencies, which nobody who installs dist/ needs.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Of the packages that dist/ holds, those that its declarations name. */
const ofTypes = ['zod']

/** Packs what is built into a folder; answers the file. V8's compiled code stays out: it is one Node.js's on one processor. */
export function pack(to) {
  const draft = mkdtempSync(join(tmpdir(), 'custody-pack-'))
  try {
    for (const place of packed()) cpSync(join(root, place), join(draft, place), { recursive: true })
    writeFileSync(join(draft, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    const flags = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', to]
    const [{ filename }] = JSON.parse(execFileSync('npm', flags, { cwd: draft, encoding: 'utf8' }))
    return join(to, filename)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** What `npm pack` takes of the checkout: by its `files`, so that who packs the checkout has the same program. */
function packed() {
  const flags = ['pack', '--json', '--dry-run', '--ignore-scripts', '--offline']
  const [{ files }] = JSON.parse(execFileSync('npm', flags, { cwd: root, encoding: 'utf8' }))
  return files.map(({ path }) => path)
}

function manifest() {
  const all = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, version, description, license, type, engines, bin, directories, exports, dependencies } = all
  const needed = Object.entries(dependencies).filter(([name]) => ofTypes.includes(name))
  return {
    ...{ name, version, description, license, type, engines, bin, directories, exports },
    dependencies: Object.fromEntries(needed),
  }
}
