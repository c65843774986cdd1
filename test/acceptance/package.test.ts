import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkPackage, createPackageFromTarballData, type Package } from '@arethetypeswrong/core'
import { publint } from 'publint'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @ts-expect-error a script without types
import { pack } from '../../scripts/pack.mjs'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'custody-package-'))
let tarball: Buffer
let packed: Package
let files: string[]

beforeAll(() => {
  tarball = readFileSync(pack(folder))
  packed = createPackageFromTarballData(tarball)
  files = packed.listFiles().map((file) => file.replace('/node_modules/custody/', ''))
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the published package', () => {
  test('contains the program, the libraries with their types, pages, and samples, and nothing else', () => {
    const places = [...new Set(files.map((file) => file.replace(/^(fixtures\/|bin\/|\w+\/\w+\/).*/, '$1')))]
    expect(places.sort()).toEqual([
      ...['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin/'],
      ...[
        'dist/client.cjs',
        'dist/custody.cjs',
        'dist/man/',
        'dist/parts/',
        'dist/testing.cjs',
        'dist/testing/',
        'dist/types/',
      ],
      ...[
        'docs/client.md',
        'docs/commands.md',
        'docs/glossary.md',
        'docs/importing.md',
        'docs/mirror.md',
        'docs/operating.md',
        'docs/reports.md',
        'docs/scaling.md',
        'docs/testing.md',
        'docs/using.md',
        'fixtures/',
        'package.json',
      ],
    ])
    const kinds = files
      .filter((file) => file.startsWith('dist/types/'))
      .map((file) => /\.d\.ts$|package\.json$/.test(file))
    expect(new Set(kinds)).toEqual(new Set([true]))
    expect(tarball.length).toBeLessThan(4_000_000)
  })

  test('keeps the lines of every list of commands, options, and examples as they are', () => {
    const page = readFileSync(join(root, 'docs', 'commands.md'), 'utf8')
    const man = readdirSync(join(root, 'dist', 'man')).map((name) =>
      readFileSync(join(root, 'dist', 'man', name), 'utf8'),
    )
    const loose = [
      page.replaceAll(/^```text\n.*?^```$/gms, ''),
      ...man.map((text) => text.replaceAll(/^\.nf\n.*?^\.fi$/gms, '')),
    ].flatMap((text) => text.match(/^ {2}.*$/gm) ?? [])
    expect(loose).toEqual([])
    // npm links pages that are listed, and not those of a folder.
    const { man: linked } = JSON.parse(packed.readFile('/node_modules/custody/package.json'))
    expect(linked).toEqual(['./dist/man/custody.1'])
  })

  test('passes publint, and its types are right for both module systems', async () => {
    const { messages } = await publint({ pack: { tarball: tarball.buffer as ArrayBuffer }, strict: true })
    expect(messages).toEqual([])
    const entrypoints = ['./client', './testing']
    const { problems } = (await checkPackage(createPackageFromTarballData(tarball), { entrypoints })) as {
      problems: Array<{ kind: string; resolutionKind?: string }>
    }
    // Node.js 10 did not know `exports`, so resolvers of that kind find no such entry.
    expect(problems.filter(({ resolutionKind }) => resolutionKind !== 'node10')).toEqual([])
  })
})

describe('the image', () => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')

  test("has the build's Node.js, runs without root, and reports its health", () => {
    const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const bases = [...lines.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base)
    expect(new Set(bases)).toEqual(new Set([`node:${devDependencies.node}-trixie-slim`]))
    const [, last = ''] = lines
      .split(/^FROM .*AS build$/m)
      .at(-1)!
      .split(/^FROM /m)
    expect(last).toMatch(/^USER node$[\s\S]*^HEALTHCHECK [\s\S]*^ENTRYPOINT \["custody"\]$/m)
  })
  test('copies only files of the checkout that .dockerignore lets through', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
    const sources = [...lines.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    )
    expect(sources.length).toBeGreaterThan(8)
    expect(sources.filter((name) => !existsSync(join(root, name)) || !ignored.includes(`!${name}`))).toEqual(
      [],
    )
  })
})
