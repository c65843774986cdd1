import { expect, test } from 'vitest'
import { projectFiles } from './tree.ts'

const call = /\bassert\(/g
/** A condition, the claim in words, and its subject. */
const whole = /\bassert\(\s*(?:[\s\S]*?),\s*'[^'\n]{8,}',\s*[^)\s][\s\S]*?\)(?:\n|,)/g

test('the engine and the store have at least 100 assertions, each with a message and ids', () => {
  const files = projectFiles().filter(({ path }) => /^src\/(engine|store)\//.test(path))
  const found = files.map(({ path, text }) => ({
    path,
    calls: [...text.matchAll(call)].length,
    wholes: [...text.matchAll(whole)].length,
  }))
  expect(found.filter(({ calls, wholes }) => calls !== wholes)).toEqual([])
  expect(found.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThanOrEqual(100)
})
