import { expect, test } from 'vitest'
import { subscriptionsAt } from '../../../src/cli/webhooks/subscription.ts'
import type { Client } from '../../../src/client/client.ts'

test('a word that is no address finds no webhook whose address is none either', async () => {
  const results = ['hidden', 'https://hooks.custody.example/in'].map((url) => ({ id: url, url }))
  const client = {
    listSubscriptions: async () => ({ data: { results, total: 2, next_page_number: null } }),
  } as unknown as Client
  const found = async (word: string) => (await subscriptionsAt(client, word)).map(({ url }) => url)
  expect(await found('typo')).toEqual([])
  expect(await found('hidden')).toEqual(['hidden'])
  expect(await found('https://HOOKS.custody.example:443/in')).toEqual(['https://hooks.custody.example/in'])
})
