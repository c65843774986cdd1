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
  ['with what else is asked for', ['--columns', 'id,key'], /^id\t[\da-f-]{36}\nkey\tsk_sandbox_\w+\n$/],
])('a new key is printed %s in a pipe', async (_, flags, shown) => {
  const { code, out } = await user.run([...create, ...flags])
  expect(code).toBe(0)
  expect(out).toMatch(shown)
})
