import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { apiPages, type Document } from '../../src/contract/document/api-pages.ts'
import { openApiDocument } from '../../src/contract/document/openapi.ts'
import { operations } from '../../src/contract/operations.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'api')
const pages = apiPages(openApiDocument() as Document)

test('docs/api is what npm run docs writes, one page for each operation', () => {
  const written = Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
  expect(written).toEqual(Object.fromEntries(pages))
  for (const id of Object.keys(operations)) expect(pages.has(`${id}.md`)).toBe(true)
})

test('no page has a broken link or a gap', () => {
  for (const [name, text] of pages) {
    for (const [, to = ''] of text.matchAll(/\]\(([\w.]+)\)/g))
      expect(pages.has(to), `${name} leads to ${to}`).toBe(true)
    expect(text).not.toMatch(/undefined|\[object Object\]/)
  }
})
