import { expect, test } from 'vitest'
import { findSubscriptionId } from '../../../src/cli/webhooks/subscription.ts'
import type { Client } from '../../../src/client/client.ts'

test('a word that is no address finds no webhook whose address is none either', async () => {
  const results = ['hidden', 'https://hooks.custody.example/in'].map((url) => ({ id: url, url }))
  const client = {
    listSubscriptions: async () => ({ data: { results, total: 2, next_page_number: null }, headers: {} }),
  } as unknown as Client
  const found = (word: string) => findSubscriptionId(client, word)
  await expect(found('typo')).rejects.toThrow('There is no webhook')
  expect(await found('hidden')).toBe('hidden')
  expect(await found('https://HOOKS.custody.example:443/in')).toBe('https://hooks.custody.example/in')
})
