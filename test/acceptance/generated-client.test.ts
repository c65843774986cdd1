import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StartCustody } from '../../src/testing/custody.ts'

// The other generators weigh 200 MB: npm run test:generators.
const root = join(import.meta.dirname, '..', '..')
const work = mkdtempSync(join(tmpdir(), 'custody-generated-'))
const run = (command: string, ...words: string[]) =>
  execa(command, words, { cwd: work, preferLocal: true, localDir: root, all: true })

beforeAll(() => {
  mkdirSync(join(work, 'made'))
  for (const name of ['story.mts', 'redocly.mts'])
    copyFileSync(join(root, 'test', 'generators', name), join(work, name))
  writeFileSync(join(work, 'package.json'), '{"type":"module"}')
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

test('the client that Redocly generates compiles under strict TypeScript and tells the whole story', async () => {
  const document = join(root, 'test', 'golden', 'openapi.json')
  const { all } = await run(
    'redocly',
    'generate-client',
    document,
    '--args-style',
    'grouped',
    '-o',
    'made/redocly.ts',
  )
  // The only renamed type: the client has its own Error, and the schema's name comes from the specification.
  expect(all.split('\n').filter((line) => /warn|^generate-client:/i.test(line))).toEqual([
    expect.stringMatching(/^generate-client: schema "Error" is a name a generated client already declares/),
  ])
  const strict =
    '--strict --noUncheckedIndexedAccess --module nodenext --target es2022 --lib es2023,dom,dom.iterable'
  await run('tsc', ...strict.split(' '), '--types', '', '--outDir', 'told', 'redocly.mts')
  const library = await import(pathToFileURL(join(root, 'dist', 'testing.cjs')).href)
  const custody = await (library.startCustody as StartCustody)()
  const { baseUrl } = await custody.listen()
  const told = (name: string) => import(pathToFileURL(join(work, 'told', name)).href)
  const [{ stepsOf }, { tell }] = await Promise.all([told('redocly.mjs'), told('story.mjs')])
  await tell(stepsOf(baseUrl, custody.apiKey))
  await custody.close()
})
