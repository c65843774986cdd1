import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'

const folder = join(import.meta.dirname, '..', 'golden')

/** Compares with the checked-in file; with UPDATE_GOLDEN=1 writes it instead, so that the change is a visible diff. */
export function expectGolden(name: string, text: string): void {
  const file = join(folder, name)
  if (process.env.UPDATE_GOLDEN === '1') {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  expect(existsSync(file), `${name} is missing: run with UPDATE_GOLDEN=1 to write it`).toBe(true)
  expect(text).toBe(readFileSync(file, 'utf8'))
}
