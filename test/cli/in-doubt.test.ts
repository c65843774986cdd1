import { expect, test } from 'vitest'
import { failureOf } from '../../src/cli/base/failure.ts'
import { accountable } from '../../src/cli/connection/unknown-outcome.ts'
import { createClient } from '../../src/client/client.ts'
import { NetworkError, type NetworkFault } from '../../src/client/network-error.ts'
import type { Transport } from '../../src/contract/call.ts'

const params = { subscription_id: 's' }
const body = { qids: ['Q-1'] }

/** A client whose transport runs `answer`, and the signal that interrupts it. */
function startClient(answer: Transport) {
  const interrupt = new AbortController()
  let asked = 0
  const stopSignal = (): AbortSignal => {
    asked += 1
    return interrupt.signal
  }
  const readsEnd = () => (asked > 0 ? interrupt.signal : undefined)
  const transport = accountable(answer, { stopSignal, readsEnd })
  const client = createClient({
    transport,
    baseUrl: 'http://custody.test/v1',
    newIdempotencyKey: () => 'made',
  })
  return { client, interrupt, stopSignal, isListening: () => asked > 0 }
}

const silence: Transport = ({ signal }) =>
  new Promise((_, reject) => {
    const end = (): void => reject(signal?.reason)
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end)
  })
const failing =
  (fault: NetworkFault): Transport =>
  async () => {
    throw new NetworkError(fault, 'No')
  }
const empty: Transport = async () => ({ status: 200, headers: {}, body: '{"id":"t","qids":[]}' })

async function messageOf(done: Promise<unknown>): Promise<string> {
  const { ending, message, hint } = failureOf(await done.catch((error: unknown) => error))
  return [`${ending}:`, message, hint].filter(Boolean).join(' ')
}

test('an interrupted write may have been carried out, and its key makes repeating safe', async () => {
  const { client, interrupt } = startClient(silence)
  const done = client.requestTransfer({ body })
  interrupt.abort()
  expect(await messageOf(done)).toBe(
    'interrupted: Interrupted before the service answered. It may have been carried out: repeat it with ' +
      '--idempotency-key made to do it at most once.',
  )
  expect(await messageOf(client.getItemSummary({}))).toBe('interrupted: Interrupted between requests.')
})

test('a key that the operator gave is quoted for the shell', async () => {
  const { client } = startClient(failing('timeout'))
  const done = client.requestTransfer({ body, idempotencyKey: "it's" })
  expect(await messageOf(done)).toContain("--idempotency-key 'it'\\''s' to")
})

test.each([
  ['the wrong JSON', '{"id":"t"}', 'qids is missing'],
  ['half of the JSON', '{"id":"t"', 'something that is not JSON'],
  ['nothing', '', 'nothing instead of JSON'],
  ["a proxy's page", '<html>', 'text/html instead of JSON'],
])('a write answered with %s may have been carried out, and a read may not', async (_, text, why) => {
  const headers = { 'content-type': 'text/html' }
  const { client } = startClient(async () => ({ status: 201, headers, body: text }))
  const done = client.requestTransfer({ body })
  expect(await messageOf(done)).toMatch(
    new RegExp(`^unreachable: .*${why}.* repeat it with --idempotency-key made`),
  )
  await expect(done).rejects.toMatchObject({ isInDoubt: true })
  await expect(client.listItems({})).rejects.toMatchObject({ isInDoubt: false })
})

test('a write of which an earlier attempt is in doubt does not say that nothing was changed', async () => {
  const message = 'The service cannot use its database right now. Nothing was changed; try again.'
  const text = JSON.stringify({ code: 'internal_error', message, extra: {} })
  const { client } = startClient(async () => ({ status: 503, headers: {}, body: text, isInDoubt: true }))
  expect(await messageOf(client.requestTransfer({ body }))).toBe(
    'unreachable: The service cannot use its database right now. It may have been carried out: ' +
      'repeat it with --idempotency-key made to do it at most once.',
  )
})

test('one key of several writes is not suggested', async () => {
  let isSilent = false
  const { client, interrupt } = startClient((call) => (isSilent ? silence(call) : empty(call)))
  await client.requestTransfer({ body })
  isSilent = true
  const done = client.requestTransfer({ body })
  interrupt.abort()
  expect(await messageOf(done)).toContain(
    'It may have been carried out: check with ls or show before you repeat it.',
  )
})

test.each<[NetworkFault, string]>([
  ['timeout', 'It may have been carried out: running the same command again is safe.'],
  ['broken', 'It may have been carried out: running the same command again is safe.'],
  ['unreachable', 'Check the address and that the service is running.'],
  ['foreign', 'Check the address.'],
])('a deletion that ends with %s: %s', async (fault, message) => {
  const { client } = startClient(failing(fault))
  expect(await messageOf(client.deleteSubscription({ params }))).toBe(`unreachable: No. ${message}`)
})

test('reads listen for no signal and leave no doubt', async () => {
  const { client, isListening } = startClient(failing('timeout'))
  expect(await messageOf(client.getItemSummary({}))).toBe('unreachable: No. Try again in a moment.')
  expect(isListening()).toBe(false)
})

test('a read is interrupted if its command listens, and nothing was changed', async () => {
  const { client, interrupt, stopSignal } = startClient(silence)
  stopSignal()
  const done = client.getItemSummary({})
  interrupt.abort()
  expect(await messageOf(done)).toBe('interrupted: Interrupted; nothing was changed.')
})

test("a caller's own signal receives its reason", async () => {
  const stop = new AbortController()
  const { client, isListening } = startClient(silence)
  const done = client.requestTransfer({ body, signal: stop.signal })
  stop.abort('enough')
  await expect(done).rejects.toBe('enough')
  expect(isListening()).toBe(false)
})
