import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CliUser, newCliUser } from '../../support/cli-io.ts'

let user: CliUser
const create = ['admin', 'keys', 'create', 'Northgate', '--database', 'live.db']

beforeAll(async () => {
  user = newCliUser()
  await user.run(['db', 'migrate', '--database', 'live.db'])
  await user.run(['admin', 'partners', 'create', 'Northgate', '--database', 'live.db'])
})
afterAll(() => user.dispose())

test.each([
  ['alone', [], /^sk_sandbox_\w+\n$/],
  ['alone, where it is the only column that is asked for,', ['--columns', 'key'], /^sk_sandbox_\w+\n$/],
  ['with what else is asked for', ['--columns', 'id,key'], /^id\t[\da-f-]{36}\nkey\tsk_sandbox_\w+\n$/],
])('a new key is printed %s in a pipe', async (_, flags, shown) => {
  const { code, out } = await user.run([...create, ...flags])
  expect(code).toBe(0)
  expect(out).toMatch(shown)
})

test('columns without the key are refused before a key is made', async () => {
  const list = ['admin', 'keys', 'ls', '--database', 'live.db', '--json']
  const { out: before } = await user.run(list)
  const { id } = JSON.parse(before)[0]
  for (const args of [create, ['admin', 'keys', 'rotate', id, '--database', 'live.db']]) {
    const { code, err } = await user.run([...args, '--columns', 'id,created_at'])
    expect([code, err]).toEqual([2, expect.stringContaining('--columns leaves the key out')])
  }
  expect((await user.run(list)).out).toBe(before)
})
