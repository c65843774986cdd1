import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { type Login, passwordFor } from '../../src/store/postgres/pg-pool.ts'
import { eventually } from '../support/load.ts'
import { makeSchema } from '../support/postgres-schema.ts'

describe('the password file', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'custody-pgpass-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const written = (text: string, mode = 0o600): NodeJS.ProcessEnv => {
    const file = join(folder, '.pgpass')
    writeFileSync(file, text)
    chmodSync(file, mode)
    return { HOME: folder }
  }
  const login: Login = { host: 'db.internal', port: 5432, database: 'custody', user: 'app' }

  test.each<[string, string, Login, string]>([
    ['by every field', 'db.internal:5432:custody:app:sesame', login, 'sesame'],
    [
      'by the first matching line, past others and comments',
      '#db.internal:5432:custody:app:no\n\nother:*:*:*:no\n*:*:*:app:sesame\n*:*:*:*:late\n',
      login,
      'sesame',
    ],
    [
      'with colons and backslashes',
      'db.internal:*:*:a\\:b:se\\:s:a\\\\me',
      { ...login, user: 'a:b' },
      'se:s:a\\me',
    ],
    ['over a socket as localhost', 'localhost:*:*:*:sesame', { ...login, host: '/run/postgresql' }, 'sesame'],
  ])('is read %s', async (_, text, who, password) => {
    expect(await passwordFor(who, written(text))).toBe(password)
  })

  test.each([5433, 15432])('gives no password for port %d if it names another, with advice', async (port) => {
    const asking = passwordFor({ ...login, port }, written('db.internal:5432:custody:app:sesame'))
    await expect(asking).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringMatching(
        /requires a password for app, .*set PGPASSWORD, or write one into .*\.pgpass/,
      ),
    })
  })

  test('is ignored with a message if others can read it', async () => {
    const asking = passwordFor(login, written('*:*:*:*:sesame', 0o640))
    await expect(asking).rejects.toMatchObject({ message: expect.stringMatching(/chmod 600 .*\.pgpass$/) })
  })

  test('closes the connection if it gives no password, so that a command ends at once', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
    const before = sockets()
    vi.stubEnv('HOME', folder)
    written('')
    const db = await openPostgres(Object.assign(new URL(inject('postgresUrl')), { password: '' }).href)
    await expect(db.pool.query('select 1')).rejects.toThrow('requires a password')
    await eventually('the connection is closed', async () => sockets() <= before, 10_000)
    vi.unstubAllEnvs()
    await db.close()
  })

  test('opens a database without a warning of the driver’s', async () => {
    const url = new URL(inject('postgresUrl'))
    const role = await makeSchema()
    const admin = await openPostgres(url.href, { poolSize: 1 })
    await admin.pool.query(`create role ${role} login password 'weak'`)
    vi.stubEnv('PGPASSFILE', join(folder, '.pgpass'))
    const warnings: string[] = []
    const note = ({ message }: Error) => warnings.push(message)
    process.on('warning', note)
    written(`*:*:*:${role}:weak`)
    const db = await openPostgres(Object.assign(url, { username: role, password: '' }).href, { poolSize: 1 })
    const { rows } = await db.pool.query('select current_user::text as me')
    expect([rows, warnings]).toEqual([[{ me: role }], []])
    process.off('warning', note)
    vi.unstubAllEnvs()
    await db.close()
    await admin.pool.query(`drop role ${role}`)
    await admin.close()
  })
})
