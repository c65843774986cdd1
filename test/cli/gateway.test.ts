import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CliUser, newCliUser } from '../support/cli-io.ts'

const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'
const create = ['products', 'create', '--name', 'Box', '--sku', 'A', '--length', '1', '--width', '1']
const created = [...create, '--height', '1', '--dimension-unit', 'in', '--weight', '1', '--weight-unit', 'oz']
/** What stands before a service, and does not hear from it. */
let gateway: Server
let answer: number | 'nothing' = 504
const keys: string[] = []
let user: CliUser

beforeAll(async () => {
  gateway = createServer((request, response) => {
    keys.push(String(request.headers['idempotency-key']))
    request.resume().on('end', () => {
      if (answer === 'nothing') request.socket.destroy()
      else response.writeHead(answer).end('<html>')
    })
  })
  gateway.listen(0, '127.0.0.1')
  await once(gateway, 'listening')
})
afterAll(() => gateway.close())
beforeEach(() => {
  user = newCliUser()
  keys.length = 0
})
afterEach(() => user.dispose())

describe.each<[number | 'nothing', RegExp]>([
  [502, /The service answered 502 without an error body\. /],
  [504, /The service answered 504 without an error body\. /],
  ['nothing', /The connection to http\S+ broke \((?:ECONNRESET|other side closed)\)\. /],
])('a write whose last answer is %s', (last, said) => {
  beforeEach(() => {
    answer = last
  })

  test('may have been carried out: the key that makes repeating safe is named, exit 8', async () => {
    const { code, err } = await run(created)
    expect([code, keys.length]).toEqual([8, 1])
    expect(err).toMatch(said)
    expect(err).toContain(
      `It may have been carried out: repeat it with --idempotency-key ${keys[0]}, and it is done once at most.\n`,
    )
    await run([...created, '--idempotency-key', keys[0] ?? ''])
    expect(keys[1]).toBe(keys[0])
  })

  test('as JSON says so too', async () => {
    const { err } = await run([...created, '--json'])
    const error = JSON.parse(err.trimEnd().split('\n').at(-1) ?? '')
    expect(error).toMatchObject({ exit_code: 8, hint: expect.stringContaining('--idempotency-key') })
  })

  test('of an import, is repeated by the same command, with the same key', async () => {
    writeFileSync(join(user.home, 'a.csv'), `${header}\nBox,A,,1,1,1,in,1,oz,\n`)
    const { code, err } = await run(['products', 'import', 'a.csv'])
    expect([code, keys.length]).toEqual([8, 1])
    expect(err).toContain('It may have been carried out: the same command with --resume does nothing twice.')
    await run(['products', 'import', 'a.csv', '--resume'])
    await run(['products', 'import', 'a.csv'])
    expect(new Set(keys).size).toBe(1)
  })

  test('of an import with --again, by what does not begin another', async () => {
    writeFileSync(join(user.home, 'a.csv'), `${header}\nBox,A,,1,1,1,in,1,oz,\n`)
    const { err } = await run(['products', 'import', 'a.csv', '--again'])
    expect(err).toContain('the same command with --resume in place of --again does nothing twice.')
    await run(['products', 'import', 'a.csv', '--resume'])
    expect(keys[1]).toBe(keys[0])
    expect((await run(['products', 'import', 'a.csv', '--resume', '--again'])).code).toBe(2)
  })

  test('of a read, is in no doubt', async () => {
    const { code, err } = await run(['products', 'ls'])
    expect([code, err]).toEqual([8, expect.stringContaining('Try again in a moment.')])
  })
})

test('a write that was refused for the time being has not been carried out', async () => {
  answer = 503
  const { code, err } = await run(created)
  expect([code, err]).toEqual([8, expect.not.stringContaining('carried out')])
})

function run(args: string[]) {
  const { port } = gateway.address() as AddressInfo
  const env = { CUSTODY_BASE_URL: `http://127.0.0.1:${port}`, CUSTODY_API_KEY: 'sk' }
  return user.run([...args, '--max-wait', '0'], { env })
}
