import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../acceptance')

test('every test that the page of promises names exists under its title', () => {
  const page = readFileSync(join(folder, 'README.md'), 'utf8')
  const named = [...page.matchAll(/`([\w./-]+\.test\.ts)` (.*?)(?=<br>| \|$)/gm)]
  expect(named.length).toBeGreaterThan(40)
  const titleless = named.filter(([, file = '', title = '']) => {
    const source = readFileSync(join(folder, file), 'utf8').replaceAll("\\'", "'")
    return !["'", '"', '`'].some((quote) => source.includes(quote + title + quote))
  })
  expect(titleless.map(([text]) => text)).toEqual([])
})
