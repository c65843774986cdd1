// npm run build:release: builds the release files in release/: the package, its bill of materials (CycloneDX), and their SHA-256
// sums. Two clean clones of one commit build the same bytes.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pack } from './pack.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const release = join(root, 'release')

rmSync(release, { recursive: true, force: true })
mkdirSync(release)
execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' })
const tarball = pack(release)
writeFileSync(tarball.replace(/tgz$/, 'cdx.json'), billOfMaterials(readFileSync(tarball)))
const names = readdirSync(release)
const sums = names.map((name) => `${sha256(readFileSync(join(release, name)))}  ${name}\n`)
writeFileSync(join(release, 'SHA256SUMS'), sums.join(''))
console.log(`release/:\n${sums.join('')}`.trimEnd())

/** npm's bill of materials; values that would differ by run or folder are derived from the package and the commit. */
function billOfMaterials(bytes) {
  const flags = ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application']
  const bill = JSON.parse(
    execFileSync('npm', flags, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  )
  const [, a, b, c, d, e] = /^(.{8})(.{4})(.{3})(.{3})(.{12})/.exec(sha256(bytes))
  bill.serialNumber = `urn:uuid:${a}-${b}-8${c}-8${d}-${e}`
  bill.metadata.timestamp = commitTime()
  bill.metadata.component.name = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** SOURCE_DATE_EPOCH, which rebuilders set, or the time of the commit. */
function commitTime() {
  const git = ['log', '-1', '--format=%ct']
  const seconds = process.env.SOURCE_DATE_EPOCH ?? execFileSync('git', git, { cwd: root, encoding: 'utf8' })
  return new Date(Number(seconds) * 1000).toISOString()
}

function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex')
}
