import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operation, operations } from '../../src/contract/operations.ts'
import { anyText } from '../support/any-text.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type Filled, type Place, placesOf, requestWith } from '../support/request-places.ts'

const ids = (Object.keys(operations) as OperationId[]).filter((id) => id !== 'getOpenApi')
const unstorable = 'must be Unicode text (UTF-8) without U+0000 and without half a surrogate pair'
type Answer = { status: number; body: unknown }

describe('impossible text in every place of every operation (decisions 3, 12)', () => {
  let harnesses: Harness[]
  beforeAll(async () => {
    harnesses = await Promise.all(databases.map((database) => startHarness(database)))
  })
  afterAll(() => Promise.all(harnesses.map((harness) => harness.close())))

  let requests = 0
  /** The answer is the same over every database, is never a fault in custody, and is an Error unless it is a success. */
  const ask = async (id: OperationId, filled: Filled): Promise<Answer> => {
    requests += 1
    const request = requestWith(id, filled)
    const headers = { 'idempotency-key': `k-${requests}`, ...request.headers }
    const answers = await Promise.all(
      harnesses.map(async (harness): Promise<Answer> => {
        const { status, body } = await harness.call({ ...request, headers })
        return { status, body: status < 400 ? undefined : JSON.parse(body) }
      }),
    )
    const [first, ...others] = answers
    for (const other of others) expect(other).toEqual(first)
    expect(first?.status).toBeLessThan(500)
    if (first && first.status >= 400)
      expect(first.body).toEqual({
        code: expect.any(String),
        message: expect.any(String),
        extra: expect.any(Object),
      })
    return first as Answer
  }

  test.each(ids)('%s: U+0000 and half a surrogate pair are named by their place', async (id) => {
    for (const place of placesOf(id)) {
      for (const value of ['a\0b', 'a\ud83d']) {
        const { status, body } = await ask(id, [{ place, value }])
        if (place.in === 'header' && place.name !== 'idempotency-key') continue
        if (place.in === 'file') {
          // Bytes contain no half pair: it became U+FFFD on the way.
          if (value.includes('\0')) expect(body).toHaveProperty(['extra', 'fields', 'file'])
          continue
        }
        if (isOpaque(id, place)) {
          expect([place, status, body]).toEqual([place, 404, notFound])
          continue
        }
        const name = place.name === 'idempotency-key' ? 'Idempotency-Key' : place.name
        const { fields } = (body as { extra: { fields?: Record<string, string[]> } }).extra
        expect([place, status, fields?.[name]]).toEqual([
          place,
          400,
          expect.arrayContaining([messageFor(place)]),
        ])
      }
    }
  })

  test('any value in any place is answered alike by every database, and never with a bug', async () => {
    const text = fc.oneof(
      fc.constantFrom(
        '',
        ' ',
        '\0',
        '\ud800',
        '\ufffe',
        '%',
        "'",
        '1e400',
        '-1',
        '9007199254740993',
        '2026-02-30',
        '𝕏'.repeat(300),
      ),
      anyText({ maxLength: 12 }),
    )
    const json = fc.oneof(text, fc.constantFrom(-1, 0.5, 2 ** 53, 1e300, null, true, [], {}, [[]], { a: 1 }))
    const one = fc.constantFrom(...ids).chain((id) => {
      const place = fc.constantFrom(...placesOf(id))
      const value = place.chain((at) =>
        fc.record({ place: fc.constant(at), value: at.in === 'body' ? json : text }),
      )
      return fc.record({ id: fc.constant(id), filled: fc.array(value, { minLength: 1, maxLength: 4 }) })
    })
    await fc.assert(
      fc.asyncProperty(one, async ({ id, filled }) => {
        await ask(id, filled)
      }),
      { numRuns: 100, seed: 12 },
    )
  })
})

const notFound = { code: 'not_found', message: 'No such resource.', extra: {} }

function isOpaque(id: OperationId, place: Place): boolean {
  return place.in === 'path' && operation(id).params?.[place.name] === 'opaque'
}

function messageFor({ in: kind }: Place): string {
  if (kind === 'path') return 'must be a UUID'
  return kind === 'header' ? 'must be printable ASCII' : unstorable
}
