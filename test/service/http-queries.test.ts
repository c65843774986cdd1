import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pageSizeMax } from '../../src/contract/limits.ts'
import { type OperationId, operation, operations } from '../../src/contract/operations.ts'
import { anyText } from '../support/any-text.ts'
import { forAllTests, harnessWith, httpOf } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import { isLong, scale } from '../support/soak.ts'

const [database] = databases
const lists = (Object.keys(operations) as OperationId[]).filter((id) => {
  const { method, path } = operation(id)
  return method === 'GET' && operation(id).query && !path.includes('{')
})

/** Every one is a 400, on every list. */
const rejected = [
  'page=0',
  'page=-1',
  'page=1.5',
  'page=1e3',
  'page=0x1',
  'page=%201',
  'page=1.0',
  'page=+1',
  'page=%2B1',
  'page=one',
  'page=NaN',
  'page=Infinity',
  'page=99999999999999999999',
  'page=',
  'page=1&page=1',
  'page[]=1',
  'page[a]=1',
  'page_size=0',
  `page_size=${pageSizeMax + 1}`,
  'page_size=-25',
  'page_size=25;drop',
  'page_size=%00',
  'page_size=%F0%9F%92%A9',
  'page_size=1&page_size=',
  'PAGE=1',
  'page_size',
  '=',
  '=1',
  '&=&=&',
  '%',
  '%zz',
  '%00=%00',
  '%ff=%fe',
  '__proto__=1',
  'constructor=1',
  'toString=1',
  'x=1',
  `x=${'a'.repeat(7000)}`,
  `${'a'.repeat(7000)}=1`,
  'a=1&'.repeat(1500),
  "page_size=1' or '1'='1",
  'sort_by=name',
  'status=gone',
  'type=item.exploded',
].filter((query) => query !== '=')

describe('query strings (part 4, decisions 3)', () => {
  const harness = forAllTests(harnessWith(database!))
  const http = forAllTests(httpOf(harness))

  const ask = (id: OperationId, query: string) =>
    http.send({ path: `/v1${operation(id).path}?${query}`, headers: ['X-API-Key', harness.key] })

  test.each(lists)('get a 400 that names the faulty field: %s', async (id) => {
    // Each query on every third list, and on the first on all of them: all lists are read in one way.
    const place = lists.indexOf(id)
    for (const query of rejected.filter((_, at) => isLong || place === 0 || at % 3 === place % 3)) {
      const { status, text } = await ask(id, query.replaceAll(' ', '%20'))
      const body = JSON.parse(text)
      expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'validation_error' })
      expect(Object.keys(body.extra.fields).length).toBeGreaterThan(0)
    }
  })

  const unstorable = 'must be Unicode text (UTF-8) without U+0000 and without half a surrogate pair'

  test('are named by parameter if they have U+0000 or are not in UTF-8; U+FFFD itself is ordinary text', async () => {
    for (const bytes of ['%ff', 'a%c3', '%ed%a0%80', '%c0%80', '%00', '%F0%9F%92', '%ef%bf%bd%ff']) {
      const { status, text } = await ask('listItems', `search=${bytes}&page=1`)
      expect([bytes, status, JSON.parse(text).extra.fields]).toEqual([bytes, 400, { search: [unstorable] }])
    }
    for (const bytes of ['%ef%bf%bd', '%EF%BF%BD', '100%', '%zz', '%F0%9F%92%A9', 'a+b%20c=d']) {
      const { status, text } = await ask('listItems', `search=${bytes}`)
      expect([bytes, status, JSON.parse(text).total]).toEqual([bytes, 200, 0])
    }
    const { text } = await ask('listItems', '%ff=1')
    expect(JSON.parse(text).extra.fields).toEqual({
      '\ufffd': [expect.stringContaining('is not known here')],
    })
  })

  test('get a 200 or 400 whatever their form', async () => {
    const name = fc.oneof(
      fc.constantFrom(
        'page',
        'page_size',
        'status',
        'sku',
        'search',
        'cert_number',
        'intake_after',
        'sort_by',
      ),
      anyText({ maxLength: 20 }),
    )
    const value = fc.oneof(
      fc.constantFrom(
        '1',
        '25',
        'asc',
        'received',
        '2026-05-01T00:00:00Z',
        '%',
        '_',
        '%25',
        '\\',
        "'",
        '"',
        '*',
        'a*b',
        'NEAR(',
        '-',
        '^',
        '\0',
      ),
      anyText({ maxLength: 40 }),
    )
    const query = fc.array(fc.tuple(name, value), { maxLength: 4 }).map((pairs) => {
      return pairs
        .map(([n, v]) => `${encodeURIComponent(n.toWellFormed())}=${encodeURIComponent(v.toWellFormed())}`)
        .join('&')
    })
    const id = fc.constantFrom(...lists)
    await fc.assert(
      fc.asyncProperty(id, query, async (list, text) => {
        const { status } = await ask(list, text)
        expect([200, 400]).toContain(status)
      }),
      { numRuns: scale(100, 300), seed: 7 },
    )
  })
})
