import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases, type Harness, startHarness } from '../support/harness.ts'
import { type HttpHarness, startHttp } from '../support/http.ts'
import { crlf, part } from '../support/http-bodies.ts'

let harness: Harness
let http: HttpHarness
beforeAll(async () => {
  harness = await startHarness(databases[0]!)
  http = await startHttp(harness)
})
afterAll(async () => {
  await http.close()
  await harness.close()
})

const file = part('file', `description,quantity${crlf}Charizard,1`, 'm.csv')
/** A manifest whose reference names its charset. */
const submit = (charset: string, reference: Buffer) => {
  const head = `--B${crlf}Content-Disposition: form-data; name="reference"${crlf}Content-Type: text/plain; charset=${charset}${crlf}${crlf}`
  const type = 'multipart/form-data; boundary=B'
  return http.send({
    method: 'POST',
    path: '/v1/manifests/csv',
    headers: ['X-API-Key', harness.key, 'Idempotency-Key', charset, 'Content-Type', type],
    body: Buffer.concat([Buffer.from(head), reference, Buffer.from(`${crlf}${file}--B--${crlf}`)]),
  })
}

test.each<[string, string, BufferEncoding]>([
  ['iso-8859-1', 'Café', 'latin1'],
  ['utf-16le', 'PO-1', 'utf16le'],
  ['no-such-charset', '\xff', 'latin1'],
  ['base64', '\xe9', 'latin1'],
])('form text in %s is a 400 that names its field', async (charset, text, encoding) => {
  const { status, text: answer } = await submit(charset, Buffer.from(text, encoding))
  const { code, extra } = JSON.parse(answer)
  expect([status, code, Object.keys(extra.fields)]).toEqual([400, 'validation_error', ['reference']])
})

test('form text in UTF-8 is read as such, whatever its part declares', async () => {
  const { status, text } = await submit('utf-16', Buffer.from('Café ☂'))
  expect([status, JSON.parse(text).manifest.reference]).toEqual([201, 'Café ☂'])
})
