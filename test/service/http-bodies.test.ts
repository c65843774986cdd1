import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { forAllTests, harnessWith, httpOf } from '../support/each.ts'
import { databases } from '../support/harness.ts'
import type { Response } from '../support/http.ts'
import { crlf, part, product } from '../support/http-bodies.ts'

const [database] = databases
const header = 'name,sku,length,width,height,dimension_unit,weight,weight_unit\r\n'

describe('bodies over HTTP (part 4, decisions 3 and 5)', () => {
  const harness = forAllTests(harnessWith(database!))
  let posts = 0
  const http = forAllTests(httpOf(harness))

  const post = (path: string, body: string | Buffer, ...headers: string[]): Promise<Response> => {
    posts += 1
    const all = ['X-API-Key', harness.key, 'Idempotency-Key', `k-${posts}`, ...headers]
    return http.send({ method: 'POST', path, headers: all, body })
  }
  const postJson = (body: string | Buffer, type = 'application/json', ...more: string[]) =>
    post('/v1/products', body, 'Content-Type', type, ...more)
  const postForm = (body: string | Buffer, type = 'multipart/form-data; boundary=B') =>
    post('/v1/manifests/csv', body, 'Content-Type', type)
  const expectFields = ({ status, text }: Response, fields: unknown) => {
    expect(text).toContain('"validation_error"')
    expect({ status, fields: JSON.parse(text).extra.fields }).toEqual({ status: 400, fields })
  }

  describe('JSON', () => {
    test.each([
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json;charset="utf-8"',
      'application/json; x=1 ; charset = utf-8 ',
    ])('is read as %s', async (type) => {
      expect((await postJson(product(`OK-${posts}`), type)).status).toBe(201)
    })

    test('is read after a byte order mark', async () => {
      expect((await postJson(`\ufeff${product('BOM')}`)).status).toBe(201)
    })

    test.each([
      ['text/plain', 'must be application/json for this operation'],
      ['application/x-www-form-urlencoded', 'must be application/json for this operation'],
      ['application/merge-patch+json', 'must be application/json for this operation'],
      ['multipart/form-data; boundary=B', 'must be application/json for this operation'],
      ['application/json; charset=latin1', 'must have the charset utf-8, or none'],
      ['application/json; charset=latin1=utf-8', 'must have the charset utf-8, or none'],
      ['application/json; charset=utf-16', 'must have the charset utf-8, or none'],
      ['json', 'is not a media type'],
      ['/', 'is not a media type'],
      ['application/json/x', 'is not a media type'],
    ])('is a 400 as %s', async (type, message) => {
      expectFields(await postJson(product('X'), type), { 'content-type': [message] })
    })

    test('is a 400 without a content type', async () => {
      expectFields(await post('/v1/products', product('X')), {
        'content-type': ['must be application/json for this operation'],
      })
    })

    test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'x'])(
      'encoded as %s is a 400',
      async (encoding) => {
        expectFields(await postJson(product('X'), 'application/json', 'Content-Encoding', encoding), {
          'content-encoding': ['is not supported; send the body uncompressed'],
        })
      },
    )

    test('is a 400 if it is not in UTF-8', async () => {
      expectFields(await postJson(Buffer.from([0x7b, 0xff, 0x7d])), { body: ['is not UTF-8'] })
    })

    test.each([
      ['broken', '{"name":', 'is not valid JSON'],
      ['a list', '[]', 'must be a JSON object'],
      ['a bare string', '"a"', 'must be a JSON object'],
      ['a million brackets deep', '['.repeat(1_000_000), 'must not nest more than 32 levels'],
      ['half a million objects deep', '{"a":'.repeat(500_000), 'must not nest more than 32 levels'],
      ['with __proto__', '{"__proto__":{"isAdmin":true}}', 'must not use the name __proto__'],
      [
        'with an escaped __proto__',
        '{"\\u005f_proto__":{"isAdmin":true}}',
        'must not use the name __proto__',
      ],
    ])('is a 400 if it is %s', async (_, body, message) => {
      expectFields(await postJson(body), { body: [message] })
    })

    test('is a 400 if it has a number of a thousand digits', async () => {
      expect((await postJson(`{"name":${'9'.repeat(1000)}}`)).status).toBe(400)
    })

    test('larger than 20 MiB is a 400, announced or not', async () => {
      const fields = { body: ['must not be larger than 20 MiB'] }
      expectFields(await postJson(Buffer.alloc(20 * 1024 * 1024 + 1, 0x20)), fields)
      const chunk = `100000${crlf}${' '.repeat(0x100000)}${crlf}`
      const head = `POST /v1/products HTTP/1.1\r\nHost: a\r\nX-API-Key: ${harness.key}\r\nIdempotency-Key: long\r\n`
      const answer = await http.raw(
        `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${chunk.repeat(21)}0\r\n\r\n`,
      )
      expect(answer).toMatch(/^HTTP\/1\.1 400 /)
      expect(answer).toContain('must not be larger than 20 MiB')
    })

    test('missing is a 400 that asks for it, and accepted if the operation has none', async () => {
      expectFields(await post('/v1/products', ''), { body: ['is required: send a JSON object'] })
      const close = `/v1/manifests/019aa000-0000-7000-8000-000000000000/close`
      expect((await post(close, '')).status).toBe(404)
      expect((await post(close, '{}', 'Content-Type', 'application/json')).status).toBe(404)
      expectFields(await post(close, '{"a":1}', 'Content-Type', 'application/json'), {
        body: ['must be empty: this operation takes no body'],
      })
      const head = `POST ${close} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${harness.key}\r\nIdempotency-Key: none\r\n`
      const chunked = (all: string) =>
        http.raw(`${head}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${all}0\r\n\r\n`)
      expect(await chunked('')).toMatch(/^HTTP\/1\.1 404 /)
      expect(await chunked(`2${crlf}{}${crlf}`)).toContain('must be application/json for this operation')
    })
  })

  describe('a form', () => {
    const file = part('file', 'description\r\nCharizard\r\n', 'lines.csv')
    const reference = part('reference', 'PO-1')
    const end = `--B--${crlf}`

    test('is read in any order, with any file name, with text before and after it', async () => {
      for (const body of [
        file + reference + end,
        reference + file + end,
        `preamble${crlf}${reference}${file}${end}epilogue`,
        part('reference', 'PO-1') + part('file', 'description\r\nCharizard', '../../etc/passwd') + end,
        part('reference', 'PO-1') + part('file', 'description\r\nCharizard') + end,
        part('reference', 'PO-1') + part('file', 'description\r\nCharizard', '') + end,
        reference.replace(crlf, `${crlf}Content-Type: text/plain; charset=klingon${crlf}`) + file + end,
        reference.replace(crlf, `${crlf}Content-Type: text/plain; charset=utf-16le${crlf}`) + file + end,
        part('file', `description\r\n${'Charizard\r\n'.repeat(10_000)}`) + part('reference', 'PO-1') + end,
      ]) {
        const { status, text } = await postForm(body)
        expect(status, text).toBe(201)
      }
    })

    test.each([
      ['no boundary', reference + file + end, 'multipart/form-data'],
      ['another boundary', reference + file + end, 'multipart/form-data; boundary=C'],
      ['no end', reference + file, undefined],
      ['an end in the middle of the file', (reference + file).slice(0, -20), undefined],
      ['an end in the middle of a header', `--B${crlf}Content-Dispo`, undefined],
      ['text without parts', 'hello', undefined],
      ['only a boundary', `--B${crlf}`, undefined],
    ])('is a 400 with %s', async (_, body, type) => {
      const { status, text } = await postForm(body, type)
      expect(status).toBe(400)
      expect(JSON.parse(text).extra.fields).toEqual({ body: ['is not a readable multipart form'] })
    })

    test.each([
      ['no file', reference + end, { file: ['is required'] }],
      ['no parts', end, { file: ['is required'], reference: ['is required'] }],
      [
        'a file twice, without its name',
        reference + part('file', 'x') + file + end,
        { file: ['was given twice; give it once'] },
      ],
      ['two files', reference + file + file + end, { file: ['was given twice; give it once'] }],
      [
        'an additional file',
        reference + file + part('extra', 'x', 'x.csv') + end,
        { extra: ['is not known here; leave it out'] },
      ],
      [
        'a field that is sent as a file',
        part('reference', 'R', 'r.txt') + file + end,
        { reference: ['must be text, not a file'] },
      ],
      [
        'a part without a name',
        `--B${crlf}Content-Disposition: form-data${crlf}${crlf}x${crlf}${reference}${file}${end}`,
        { body: ['has a part without a name'] },
      ],
      [
        'an additional field',
        reference + part('x', '1') + file + end,
        { x: ['is not known here; leave it out'] },
      ],
      [
        'a repeated field',
        reference + reference + file + end,
        { reference: ['was given twice; give it once'] },
      ],
      [
        'a field of 100 KiB',
        part('reference', 'a'.repeat(100_000)) + file + end,
        { reference: ['must not be larger than 64 KiB'] },
      ],
      [
        'a field that is not UTF-8',
        Buffer.from(part('reference', '\xff') + file + end, 'latin1'),
        { reference: ['is not UTF-8'] },
      ],
      [
        'U+0000 in a field',
        part('reference', 'a\0b') + file + end,
        { reference: ['must be Unicode text (UTF-8) without U+0000 and without half a surrogate pair'] },
      ],
      [
        'a field __proto__',
        part('__proto__', '1') + reference + file + end,
        { body: ['must not use a reserved name, such as __proto__'] },
      ],
      [
        'a file __proto__',
        part('__proto__', '1', 'a') + reference + file + end,
        { body: ['must not use a reserved name, such as __proto__'] },
      ],
      ['100 fields', reference.repeat(100) + end, { body: ['has too many fields'] }],
      ['100 files', file.repeat(100) + reference + end, { body: ['has too many files'] }],
    ])('is a 400 with %s', async (_, body, fields) => {
      expectFields(await postForm(body), fields)
    })

    test('is a 400 if a name has 1,000 characters', async () => {
      expect((await postForm(part('n'.repeat(1000), '1') + reference + file + end)).status).toBe(400)
    })

    test('is a 400 if a part claims to be JSON', async () => {
      const odd = `--B${crlf}Content-Disposition: form-data; name="reference"${crlf}Content-Type: application/json${crlf}${crlf}{"a":1}${crlf}`
      expectFields(await postForm(odd + file + end), { reference: ['must be plain text'] })
    })

    test('is a 400 if a file exceeds 20 MiB, announced or not', async () => {
      const long = Buffer.concat([
        Buffer.from(
          `${reference}--B${crlf}Content-Disposition: form-data; name="file"; filename="f"${crlf}${crlf}`,
        ),
        Buffer.alloc(20 * 1024 * 1024 + 1, 0x61),
        Buffer.from(`${crlf}${end}`),
      ])
      expectFields(await postForm(long), { file: ['must not be larger than 20 MiB'] })
      const longer = Buffer.concat([long, Buffer.alloc(2 * 1024 * 1024)])
      expectFields(await postForm(longer), { body: ['must not be larger than 20 MiB'] })
    })

    test('instead of JSON, and JSON instead of a form, are 400s', async () => {
      const json = await post('/v1/products/csv', '{}', 'Content-Type', 'application/json')
      expectFields(json, { 'content-type': ['must be multipart/form-data with the CSV in the field file'] })
      const none = await post('/v1/products/csv', '')
      expectFields(none, { 'content-type': ['must be multipart/form-data with the CSV in the field file'] })
    })

    test('without a part is a 400 that names what it lacks', async () => {
      expectFields(await postForm(''), { reference: ['is required'], file: ['is required'] })
    })

    test('cut off by its sender changes nothing and harms nobody', async () => {
      const before = await harness.client.listProducts({})
      const row = 'Booster Box,CUT-1,1,1,1,in,1,oz\r\n'
      const head = `POST /v1/products/csv HTTP/1.1\r\nHost: a\r\nX-API-Key: ${harness.key}\r\nIdempotency-Key: cut\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 100000\r\n\r\n`
      const socket = connect(http.port, '127.0.0.1')
      const gone = new Promise((resolve) => http.server.once('clientError', resolve))
      socket.write(head + part('file', header + row, 'p.csv').slice(0, -2))
      http.server.once('request', () => socket.destroy())
      await gone
      expect((await harness.client.listProducts({})).data.total).toBe(before.data.total)
    })
  })

  describe('an unwanted body', () => {
    const upload = (key: string, more = '') =>
      `POST /v1/products/csv HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\n${more}Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 20000000\r\n`

    test('is not awaited: a 401 and a missing Idempotency-Key are answered before it comes', async () => {
      expect(await http.raw(`${upload('sk_sandbox_x')}\r\n`)).toMatch(/^HTTP\/1\.1 401 .*connection: close/is)
      expect(await http.raw(`${upload(harness.key)}\r\n`)).toMatch(/^HTTP\/1\.1 400 .*Idempotency-Key/s)
    })

    test('is not requested with 100 Continue, while a wanted one is', async () => {
      const expecting = 'Expect: 100-continue\r\n'
      expect(await http.raw(`${upload('sk_sandbox_x', expecting)}\r\n`)).toMatch(/^HTTP\/1\.1 401 /)
      const body = product('CONTINUED')
      const socket = connect(http.port, '127.0.0.1')
      let answer = ''
      socket.on('data', (chunk) => {
        if (answer === '') socket.write(body)
        answer += chunk
      })
      const ended = new Promise((resolve) => socket.once('close', resolve))
      socket.write(
        `POST /v1/products HTTP/1.1\r\nHost: a\r\nX-API-Key: ${harness.key}\r\nIdempotency-Key: c\r\n${expecting}` +
          `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
      )
      await ended
      expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
    })

    test('is read long enough for its sender to read the answer', async () => {
      const body = Buffer.alloc(20_000_000)
      const { status } = await http.send({
        method: 'POST',
        path: '/v1/products/csv',
        body,
        headers: ['X-API-Key', 'x'],
      })
      expect(status).toBe(401)
    })
  })
})
