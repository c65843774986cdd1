import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'custody-example-'))
const modules = join(folder, 'node_modules')
const built = join(modules, 'custody')

/** A separate project with the built package and what its package.json names. */
beforeAll(() => {
  cpSync(join(root, 'examples', 'vitest'), folder, { recursive: true })
  mkdirSync(built, { recursive: true })
  for (const place of ['package.json', 'dist'])
    cpSync(join(root, place), join(built, place), { recursive: true })
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  mkdirSync(join(modules, '@types'))
  for (const name of [...Object.keys({ ...dependencies, ...devDependencies }), 'zod', '.bin']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the partner example passes its own tests and type checks against the built package', async () => {
  const options = {
    cwd: folder,
    preferLocal: true,
    extendEnv: true,
    env: { VITEST: '' },
    all: true,
    reject: false,
  } as const
  const types = execa('tsc', ['--noEmit'], options)
  const run = await execa('vitest', ['run', '--reporter=dot', '--no-color'], options)
  expect(run.all).toMatch(/Tests {2}4 passed/)
  expect(await types).toMatchObject({ exitCode: 0, all: '' })
})
