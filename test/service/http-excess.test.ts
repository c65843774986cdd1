import { describe, expect, test } from 'vitest'
import { getWholeManifest } from '../../src/client/whole-manifest.ts'
import { faultsMax } from '../../src/contract/limits.ts'
import { forAllTests, harnessWith, httpOf } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import type { Response } from '../support/http.ts'
import { product } from '../support/http-bodies.ts'

const [database] = databases

describe('excessive input is a short 400 (decisions 3)', () => {
  const harness = forAllTests(harnessWith(database!))
  let posts = 0
  const http = forAllTests(httpOf(harness))

  const post = (path: string, body: string): Promise<Response> => {
    posts += 1
    const headers = [
      'X-API-Key',
      harness.key,
      'Idempotency-Key',
      `k-${posts}`,
      'Content-Type',
      'application/json',
    ]
    return http.send({ method: 'POST', path, headers, body })
  }
  const faultsOf = ({ status, text }: Response): Record<string, string[]> => {
    expect(status, text).toBe(400)
    return JSON.parse(text).extra.fields
  }

  const times = (count: number, piece: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => piece(n)).join(',')

  test.each<[string, string, () => string, string]>([
    [
      '200,000 names',
      '/v1/products',
      () => `{${times(200_000, (n) => `"a${n}":1`)}}`,
      'must not use more than 500 different names',
    ],
    [
      '200,000 names, each in its own object',
      '/v1/manifests',
      () => `{"lines":[${times(200_000, (n) => `{"b${n}":1}`)}]}`,
      'must not use more than 500 different names',
    ],
    [
      'a million and one values',
      '/v1/manifests',
      () => `{"lines":[${'0,'.repeat(1_000_000)}0]}`,
      'must not hold more than 1,000,000 values',
    ],
  ])('is found before %s are even built', async (_, path, body, message) => {
    const answer = await post(path, body())
    expect(faultsOf(answer)).toEqual({ body: [message] })
    expect(answer.text.length).toBeLessThan(300)
  })

  test('names 100 of 450 unknown names', async () => {
    const answer = await post('/v1/products', `{${times(450, (n) => `"a${n}":1`)}}`)
    const faults = faultsOf(answer)
    expect(Object.values(faults).flat()).toHaveLength(faultsMax)
    expect(faults).toMatchObject({ name: ['is required'], a0: ['is not known here; leave it out'] })
    expect(answer.text.length).toBeLessThan(10_000)
  })

  const manifest = (lines: readonly unknown[]) =>
    post('/v1/manifests', JSON.stringify({ reference: 'PO', lines }))

  test('names 100 faults of 50,000 lines with seven each', async () => {
    const wrong = { external_ref: 1, description: 2, grader: 3, cert_number: 4, quantity: 'x', sku: 6, b: 1 }
    const faults = faultsOf(await manifest(Array.from({ length: 50_000 }, () => wrong)))
    expect(Object.values(faults).flat()).toHaveLength(faultsMax)
    expect(faults).toMatchObject({ 'lines[0].sku': ['must be a string'] })
  })

  test('names a fault far down a long list by its place, with others', async () => {
    const lines: unknown[] = Array.from({ length: 2_500 }, () => ({ description: 'Charizard' }))
    lines[999] = { description: '' }
    lines[1_000] = { description: 'x', qty: 1 }
    lines[2_499] = 7
    expect(faultsOf(await post('/v1/manifests', JSON.stringify({ lines, refrence: 'PO' })))).toEqual({
      reference: ['is required'],
      refrence: ['is not known here; did you mean reference?'],
      'lines[999].description': ['must not be empty'],
      'lines[1000].qty': ['is not known here; leave it out'],
      'lines[2499]': ['must be an object'],
    })
    expect(faultsOf(await manifest(Array.from({ length: 50_001 }, () => 0)))).toEqual({
      lines: ['must have at most 50000 entries'],
    })
  })

  test('does not include a long list without a fault, which is accepted as a whole and in order', async () => {
    const descriptions = Array.from({ length: 2_500 }, (_, n) => `Card ${n}`)
    const { status, text } = await manifest(descriptions.map((description) => ({ description })))
    expect(status, text).toBe(201)
    const { lines } = await getWholeManifest(harness.client, JSON.parse(text).id)
    expect(lines.map(({ description }) => description)).toEqual(descriptions)
  })

  test('shows the first hundred of ten million characters of a name', async () => {
    const answer = await post('/v1/products', `{"${'a'.repeat(10_000_000)}":1}`)
    expect(faultsOf(answer)).toHaveProperty(`${'a'.repeat(100)}…`, ['is not known here; leave it out'])
    expect(answer.text.length).toBeLessThan(1_000)
  })

  test('names 100 of 2,000 query parameters, and one that came 3,000 times once', async () => {
    const ask = async (query: string) =>
      faultsOf(await http.send({ path: `/v1/products?${query}`, headers: ['X-API-Key', harness.key] }))
    const many = await ask(Array.from({ length: 2_000 }, (_, n) => `a${n}`).join('&'))
    expect(Object.values(many).flat()).toHaveLength(faultsMax)
    expect(await ask('a&'.repeat(3_000))).toEqual({
      a: ['must not be empty; leave it out or give it a value', 'was given twice; give it once'],
    })
  })

  test('does not include text that merely looks like names, lists, and depth', async () => {
    const name = `\\"${'[{:,'.repeat(100)}\\\\`
    const answer = await post('/v1/products', product('TEXT').replace(/"name":"[^"]*"/, `"name":"${name}"`))
    expect(answer.status, answer.text).toBe(201)
    expect(JSON.parse(answer.text).name).toBe(JSON.parse(`"${name}"`))
  })
})
