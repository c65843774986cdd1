import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { optionsIn } from '../../src/store/postgres/pg-address.ts'
import { listening } from '../support/free-port.ts'

describe('the parameters of a PostgreSQL address', () => {
  test.each([
    ['postgres://me@db/x', {}],
    ['postgres://me@/x?host=/run/postgresql&port=5433', {}],
    ['postgres://me:a,b@[::1]:5432/x?sslmode=verify-full&application_name=shop&options=-c%20a=1,2', {}],
    [
      'postgres://me@db/x?pool_size=20&prepared=false&connect_timeout=5',
      { poolSize: 20, prepared: false, connectMs: 5_000 },
    ],
  ])('%s is applied', (url, options) => {
    expect(optionsIn(url, {})).toEqual(options)
  })

  test.each([
    ['?target_session_attrs=read-write', 'target_session_attrs is not known here; leave it out'],
    ['?service=main', 'service is not known here'],
    ['?passfile=/x', 'passfile is not known here'],
    ['?sslmode=require&channel_binding=require', 'channel_binding is not known here'],
    ['?connect_timeout=0', 'connect_timeout is a number from 1 to 999'],
    ['?host=a,b', 'it names several hosts'],
  ])('%s is rejected by name instead of ignored', (query, words) => {
    expect(() => optionsIn(`postgres://me:sesame@db/x${query}`, {})).toThrow(words)
    expect(() => optionsIn(`postgres://me:sesame@db/x${query}`, {})).not.toThrow('sesame')
  })

  test.each(['a,b', 'a:5432,b:5432'])('several hosts are not mistaken for a wrong password: %s', (hosts) => {
    expect(() => optionsIn(`postgres://me:ses,ame@${hosts}/x`, {})).toThrow('it names several hosts')
  })

  test('a server that accepts a connection and stays silent is given up at connect_timeout', async () => {
    const mute = createServer(() => {})
    const port = await listening(mute)
    const db = await openPostgres(`postgres://me@127.0.0.1:${port}/x`, { connectMs: 30, awayMs: 0 })
    await expect(db.read(async () => {})).rejects.toMatchObject({ fault: 'unreachable' })
    await db.close()
    mute.close()
  })
})
