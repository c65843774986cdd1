import { entriesOf } from '../check.ts'
import { refused, same } from '../expectations.ts'
import { newProduct, productBody } from '../making.ts'

/** Decisions 1: scope, environments, keys. */
export const keyDecisions = entriesOf({
  'D1-1 every row belongs to one scope: the same SKU and Idempotency-Key of another partner are another thing':
    async (world) => {
      const product = await newProduct(world)
      const idempotencyKey = world.unique('K')
      const first = productBody(world)
      const body = productBody(world, { sku: product.sku, name: 'Theirs' })
      await world.client.createProduct({ body: first, idempotencyKey })
      const theirs = await world.stranger().createProduct({ body, idempotencyKey })
      same([theirs.status, theirs.data.name], [201, 'Theirs'], "the other partner's product")
      const { results } = (await world.client.listProducts({ query: { sku: product.sku } })).data
      same(results, [product], "the first partner's")
    },
  'D1-2 a missing, malformed, unknown and doubled key answer 401 with identical bodies': async (world) => {
    const { key } = world.subject
    const unknown = key.slice(0, -8) + key.slice(-8).split('').reverse().join('')
    const texts = new Set<string>()
    for (const sent of [undefined, 'x', unknown, [key, key]]) {
      const seen = await world.ask('listProducts', { headers: { 'x-api-key': sent } })
      refused(seen, 401, 'invalid_api_key')
      texts.add(seen.text)
    }
    same(texts.size, 1, 'different bodies')
  },
  'D1-3 revoked and expired keys answer the same 401':
    'test/service/authentication.test.ts: missing, malformed, unknown, doubled, revoked and expired keys answer one identical 401',
  'D1-4 a key is sk_sandbox_ or sk_live_, 43 base62 characters, and 6 of CRC-32':
    'test/domain/api-key.test.ts: a key is its prefix, 43 base62 characters of the secret and 6 of CRC-32 over what stands before',
  'D1-5 only the SHA-256 of a key is stored, with a display prefix':
    'test/service/authentication.test.ts: only the SHA-256 of a key is stored, with its prefix',
  'D1-6 rotation makes a new key and lets the old one live on for a grace':
    'test/conformance/unseen.test.ts: a rotated key lives on for its grace, and rotating does not break a retry',
  "D1-7 a client never infers an environment from a key's prefix":
    "test/conformance/unseen.test.ts: nothing in the client and the tool knows a key's prefix",
})
