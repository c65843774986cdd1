import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Reply, Transport } from '../../src/contract/call.ts'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'

const [database] = databases
const rows = Array.from({ length: 4_000 }, (_, n) => `R-${n},Pokémon ${n} ${'x'.repeat(300)}`)
const file = `external_ref,description\n${rows.join('\n')}\nR-0,\n`
const body = Buffer.from(
  `--B\r\ncontent-disposition: form-data; name="reference"\r\n\r\nPO-1\r\n--B\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${file}\r\n--B--\r\n`,
)

describe('a large upload is never handled in one piece, which would hold up all others', () => {
  let harness: Harness
  let http: HttpHarness
  let reply: Reply | undefined
  /** Bytes joined before the service answered. */
  let joined: number[] = []
  beforeAll(async () => {
    harness = await startHarness(database!)
    const handle: Transport = async (call) => {
      const concat = vi.spyOn(Buffer, 'concat').mockClear()
      reply = await harness.service.handle(call)
      joined = concat.mock.results.map(({ value }) => value.length)
      return reply
    }
    http = await startHttp({ ...harness, service: { ...harness.service, handle } })
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(async () => {
    await http.close()
    await harness.close()
  })

  const upload = (more: readonly string[] = []) =>
    http.send({
      method: 'POST',
      path: '/v1/manifests/csv',
      headers: [
        'X-API-Key',
        harness.key,
        'Idempotency-Key',
        'one',
        'Content-Type',
        'multipart/form-data; boundary=B',
        ...more,
      ],
      body,
    })

  test('a file, an answer, and a replayed answer are each handled in pieces', async () => {
    const made = await upload()
    expect(made.status).toBe(201)
    const { created, errors } = JSON.parse(made.text)
    expect([created.length, errors.length]).toEqual([rows.length, 1])
    expectPieces(made.text)
    expect(made.headers['content-length']).toBe(String(made.bytes.length))
    const replayed = await upload()
    expect(replayed.headers).toMatchObject({ 'idempotency-replayed': 'true' })
    expect(replayed.text === made.text).toBe(true)
    expectPieces(made.text)
    const compressed = await upload(['Accept-Encoding', 'gzip'])
    expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip' })
    expect(compressed.bytes.length).toBeLessThan(made.bytes.length / 4)
  })

  const expectPieces = (text: string): void => {
    const { pieces = [] } = reply ?? {}
    expect(pieces.join('') === text).toBe(true)
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(text.length / 3)
    expect(Math.max(...joined)).toBeLessThan(body.length / 3)
  }
})
