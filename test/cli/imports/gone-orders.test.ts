import { expect, test } from 'vitest'
import type { Session } from '../../../src/cli/command.ts'
import { repeatsOf } from '../../../src/cli/imports/repeats.ts'
import type { Client } from '../../../src/client/client.ts'

const days = [9, 8, 7, 6, 5, 4]
const pageSize = 2

test('reads lists of cancelled and returned orders only as far back as the stored results', async () => {
  const asked: string[] = []
  const gone = await goneOf(asked)
  expect(asked).toEqual([])
  expect([...(await gone([order(9), order(8)])).keys()].sort()).toEqual(
    ['cancelled', 'returned'].flatMap((status) => [7, 6, 9, 8].map((day) => `${status} ${day}`)).sort(),
  )
  expect(asked).toEqual(['cancelled 1', 'cancelled 2', 'returned 1', 'returned 2'])
  await Promise.all([gone([order(9)]), gone([order(6)]), gone([order(8)])])
  expect(asked.slice(4)).toEqual(['cancelled 3', 'returned 3'])
  const all = await gone([order(1)])
  expect([all.size, asked.length]).toEqual([2 * days.length, 6])
})

test.each([
  ['an import of anything but orders', {}, undefined],
  ['--again', { again: true }, 'hash'],
  ['a key of the operator', { idempotencyKey: 'k' }, 'hash'],
])('%s reads no list', async (_, options, orders) => {
  const target = { client: {} as Client, isService: false }
  expect((await repeatsOf({} as Session, target, options, orders)).gone).toBe(undefined)
})

async function goneOf(asked: string[]) {
  const listFulfillments = async ({ query }: { query: { status: string; page: number } }) => {
    const { status, page } = query
    asked.push(`${status} ${page}`)
    const results = days.slice((page - 1) * pageSize, page * pageSize).map((day) => ({
      id: `${status} ${day}`,
      ...order(day),
    }))
    const next_page_number = page * pageSize < days.length ? page + 1 : null
    return { data: { results, next_page_number }, headers: {} }
  }
  const client = { listFulfillments } as unknown as Client
  const { gone } = await repeatsOf({} as Session, { client, isService: false }, {}, 'hash')
  if (!gone) throw new Error('an import of orders asks')
  return gone
}

function order(day: number): { created_at: string } {
  return { created_at: `2026-11-0${day}T12:00:00.000Z` }
}
