import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'
import { makeSchema } from '../support/postgres-schema.ts'

describe("a partner's data in PostgreSQL", () => {
  const operator = forAllTests(operatorWith('seeded'))
  let address: string
  beforeAll(async () => {
    const url = new URL(inject('postgresUrl'))
    url.searchParams.set('options', `-c search_path=${await makeSchema()}`)
    address = url.href
  })

  const over = (...args: string[]) => operator.run([...args, '--database', address])

  const looked = () => operator.run(['doctor', '--json'], { env: { CUSTODY_DATABASE: address } })

  test('an empty database is rejected by commands that only use it, and stays empty', async () => {
    const read = await over('items', 'ls')
    expect([read.exitCode, read.stdout, read.stderr]).toEqual([
      4,
      '',
      expect.stringMatching(
        /^Warning: .*PGPASSWORD.*\ncustody items ls: postgres:\/\/custody@\S+ contains no custody data\. Check its name, or set it up with: custody db migrate --database '?postgres.* custody admin partners create Sandbox\n$/,
      ),
    ])
    const [doctor, stats] = await Promise.all([looked(), over('db', 'stats')])
    expect([doctor.exitCode, doctor.stdout]).toEqual([4, expect.stringContaining('contains no custody data')])
    expect(stats.stderr).toContain('contains no custody data')
  })

  test('db migrate creates the schema once and prints the address without its password', async () => {
    const made = await over('db', 'migrate')
    expect([made.exitCode, made.stdout]).toEqual([0, expect.stringMatching(/schema version \d+, applied 1/)])
    expect(made.stdout + made.stderr).not.toContain('custody:custody@')
    expect((await over('db', 'migrate')).stdout).toContain('nothing to do')
  })

  test('db copy moves the sandbox over table by table, verifies it, and rejects a second copy', async () => {
    const copy = ['db', 'copy', '--from', `sqlite:${operator.database}`, '--to', address, '--as', 'Northgate']
    const tables = await operator.json<Array<{ table: string; rows: number; sha256: string }>>(copy)
    expect(tables.find(({ table }) => table === 'items')?.rows).toBeGreaterThan(0)
    for (const { sha256 } of tables) expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    const again = await operator.run(copy)
    expect([again.exitCode, again.stderr]).toEqual([
      5,
      expect.stringContaining('The target already has data of Northgate (sandbox): copy into an empty one.'),
    ])
    expect((await over('db', 'check')).exitCode).toBe(0)
  })

  test('db copy of a partner that changes meanwhile is kept and exits 9', async () => {
    const db = await openPostgres(address, { poolSize: 1 })
    await db.pool.query('begin; lock table deliveries in access exclusive mode')
    const copying = operator.start(['db', 'copy', '--from', address, '--to', 'sqlite:back.db'])
    await new Promise<void>((resolve) => {
      copying.stderr?.on('data', (line) => String(line).includes('webhook_subscriptions: ') && resolve())
    })
    await db.pool.query('update scopes set claims = claims + 1; commit')
    await db.close()
    const { exitCode, stderr } = await copying
    expect([exitCode, stderr]).toEqual([
      9,
      expect.stringMatching(
        /Northgate: copied and verified \d+ rows in .*\ncustody db copy: The source of Northgate changed during the copy \(.*sandbox\).* stop writing/,
      ),
    ])
    expect((await operator.run(['db', 'check', '--database', 'sqlite:back.db'])).exitCode).toBe(0)
  })

  test('a profile points commands to it, as to a file', async () => {
    const made = await operator.run([
      'init',
      '--name',
      'shared',
      '--database',
      address,
      '--partner',
      'Northgate',
    ])
    expect([made.exitCode, made.stdout + made.stderr]).toEqual([
      0,
      expect.not.stringContaining('custody:custody@'),
    ])
    const env = { CUSTODY_DATABASE: '', CUSTODY_PROFILE: 'shared' }
    const there = await operator.run(['items', 'ls', '--json'], { env })
    const here = await operator.json<Item[]>(['items', 'ls'])
    expect(JSON.parse(there.stdout)).toEqual(here)
    const told = await operator.run(['whoami'], { env })
    expect(told.stdout).toContain('postgres://custody@127.0.0.1')
    expect((await operator.run(['doctor'], { env })).exitCode).toBe(0)
    expect((await operator.run(['sandbox', 'reset', '--yes'], { env })).exitCode).toBe(5)
    const head = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
    operator.write('catalog.csv', `${head}\nBooster Box,NEW-BOX,1,1,1,in,1,oz\n`)
    const imported = await operator.run(['products', 'import', 'catalog.csv', '--json'], { env })
    expect([imported.exitCode, JSON.parse(imported.stdout)]).toEqual([
      0,
      expect.objectContaining({ totals: { created: 1, failed: 0, submitted: 1, unchanged: 0 } }),
    ])
    const tail = await operator.run(['events', 'tail', '--output', 'ndjson'], { env })
    expect([tail.exitCode, tail.stdout.split('\n', 1)[0]]).toEqual([0, expect.stringMatching(/^\{"id":/)])
  })

  test('the warehouse, keys, and the service work on it', async () => {
    expect((await over('admin', 'partners', 'ls')).stdout).toContain('Northgate')
    const arrival = '--grader PSA --grade 9 --cert-number 77001122 --name Charizard'.split(' ')
    const taken = await over('warehouse', 'intake', ...arrival)
    expect([taken.exitCode, taken.stderr]).toEqual([
      0,
      expect.stringMatching(/Northgate in postgres:\/\/custody@127/),
    ])
    const issued = await over('admin', 'keys', 'create', 'Northgate', '--environment', 'sandbox', '--json')
    const { key } = JSON.parse(issued.stdout) as { key: string }
    const serve = operator.start(['serve', '--database', address, '--port', '0'], { buffer: false })
    const origin = await new Promise<string>((resolve) => {
      serve.stdout?.on('data', (line) => resolve(/http:\/\/[^\s/]+/.exec(String(line))?.[0] ?? ''))
    })
    const response = await fetch(`${origin}/v1/items/summary`, { headers: { 'x-api-key': key } })
    expect([response.status, response.headers.get('ratelimit')]).toEqual([200, '"key";r=49;t=1'])
    serve.kill('SIGTERM')
    expect((await serve).exitCode).toBe(0)
  })

  test('an unknown partner is not created; a known one begins when it is first used', async () => {
    const [unknown, doctor] = await Promise.all([over('items', 'ls'), looked()])
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      4,
      expect.stringMatching(
        /has no partner named Sandbox\. List its partners with: custody admin partners ls --d/,
      ),
    ])
    expect([doctor.exitCode, doctor.stdout]).toEqual([4, expect.stringContaining('no partner named Sandbox')])
    expect((await over('admin', 'partners', 'ls', '--columns', 'name')).stdout).toBe('name\nNorthgate\n')
    await over('admin', 'partners', 'create', 'Harbor')
    const place = ['--database', address, '--partner', 'Harbor', '--name', 'harbor', '--no-use']
    expect((await operator.run(['init', ...place])).exitCode).toBe(0)
    expect((await operator.run(['items', 'ls', '--profile', 'harbor'])).exitCode).toBe(0)
  })

  test('a wrong password gives one clear line without the password', async () => {
    const wrong = Object.assign(new URL(address), { password: 'sesame', username: 'nobody' })
    const { exitCode, stdout, stderr } = await operator.run(['db', 'stats', '--database', wrong.href])
    expect([exitCode, stdout, stderr]).toEqual([
      8,
      '',
      expect.stringMatching(
        /^Warning: .*PGPASSWORD.*\ncustody db stats: The database refused the connection \(.*"nobody"\): check the user and the password in its address\.\n$/,
      ),
    ])
    expect(stderr).not.toContain('sesame')
  })
})
