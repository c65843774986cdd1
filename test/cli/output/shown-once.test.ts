import { beforeAll, describe, expect, test } from 'vitest'
import { cliUser, forAllTests } from '../../support/each.ts'

const user = forAllTests(cliUser)
const database = ['--database', 'live.db']
const create = ['admin', 'keys', 'create', 'Sandbox', ...database]
beforeAll(async () => {
  await user.run(['db', 'migrate', '--database', 'live.db'])
  await user.run(['admin', 'partners', 'create', 'Sandbox', '--database', 'live.db'])
})

test.each([
  ['alone', [], /^sk_sandbox_\w+\n$/],
  ['alone, if it is the only requested column,', ['--columns', 'key'], /^sk_sandbox_\w+\n$/],
  ['with the other requested columns', ['--columns', 'id,key'], /^id\t[\da-f-]{36}\nkey\tsk_sandbox_\w+\n$/],
])('a new key is printed %s in a pipe', async (_, flags, shown) => {
  const { code, out } = await user.run([...create, ...flags])
  expect(code).toBe(0)
  expect(out).toMatch(shown)
})

const hook = 'https://hooks.example.com/custody'
const rotate = ['webhooks', 'rotate-secret', '--grace', '0']

describe('a value shown only once is rejected if it would not be shown, before it is created', () => {
  const keys = ['admin', 'keys']
  test.each<[string, string[], () => Promise<string[]>]>([
    ['key', keys, async () => create],
    ['key', keys, async () => [...keys, 'rotate', await lastId(keys), ...database]],
    ['secret', ['webhooks'], async () => ['webhooks', 'create', hook, '--again', ...database]],
    ['secret', ['webhooks'], async () => [...rotate, await lastId(['webhooks']), ...database]],
  ])('the %s of %j', async (field, of, argsOf) => {
    const list = [...of, 'ls', ...database, '--json']
    const args = await argsOf()
    const before = await user.run(list)
    for (const [flag, value] of [
      ['--columns', 'id,created_at'],
      ['--jq', '.id'],
      ['--jq', `del(.${field})`],
    ] as const) {
      const { code, out, err } = await user.run([...args, flag, value])
      expect([code, out, err]).toEqual([2, '', expect.stringContaining(`${flag} leaves out the ${field}`)])
    }
    expect(await user.run(list)).toEqual(before)
    for (const program of [`.${field} | split("_")[-1]`, `.id, (.event_types // [])[], .${field}`]) {
      const { code, out } = await user.run([...(await argsOf()), '--jq', program])
      expect([code, out]).toEqual([0, expect.stringMatching(/[\w+/]{20}/)])
    }
  })
})

async function lastId(of: readonly string[]): Promise<string> {
  const { out } = await user.run([...of, 'ls', ...database, '--json'])
  return JSON.parse(out).at(-1).id
}
