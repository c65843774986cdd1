// Packs the package for users, from a temporary folder: the checkout's package.json is private, which prevents publishing it by
// mistake, and has dependencies that the build bundles into dist/ and users do not need.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The bundled packages that the type declarations import. */
const ofTypes = ['zod']

/** Packs the build into `to`; returns the tarball's path. Omits V8's compiled code, which fits one Node.js on one processor. */
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

/** The files that `npm pack` includes by the checkout's `files`, so that packing the checkout gives the same program. */
function packed() {
  const flags = ['pack', '--json', '--dry-run', '--ignore-scripts', '--offline']
  const [{ files }] = JSON.parse(execFileSync('npm', flags, { cwd: root, encoding: 'utf8' }))
  return files.map(({ path }) => path)
}

function manifest() {
  const all = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { name, version, description, license, type, engines, bin, man, exports, dependencies } = all
  const needed = Object.entries(dependencies).filter(([name]) => ofTypes.includes(name))
  return {
    ...{ name, version, description, license, type, engines, bin, man, exports },
    dependencies: Object.fromEntries(needed),
  }
}
