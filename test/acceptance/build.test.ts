import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const copy = mkdtempSync(join(tmpdir(), 'custody-build-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('a build that cannot resolve an import exits 1, names it, and writes nothing', async () => {
  for (const place of ['bin', 'package.json', 'scripts', 'src'])
    cpSync(join(root, place), join(copy, place), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  // Nothing else of the program, so that little is bundled before the error.
  writeFileSync(join(copy, 'src', 'cli', 'main.ts'), "import 'package-that-is-not-there'\n")
  const build = await execa(process.execPath, [join(copy, 'scripts', 'build.mjs')], { reject: false })
  expect([build.exitCode, build.stderr]).toEqual([1, expect.stringContaining('package-that-is-not-there')])
  expect(existsSync(join(copy, 'dist'))).toBe(false)
})
