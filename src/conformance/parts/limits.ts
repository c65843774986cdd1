import { idempotencyKeyMax, pageSizeDefault, pageSizeMax } from '../../contract/limits.ts'
import { type OperationId, operations } from '../../contract/operations.ts'
import { holds, rejected, same } from '../check.ts'
import { Unseen } from '../outcomes.ts'
import { type Seen, seenOf } from '../service.ts'
import { entriesOf, overHttp, seenBy, type World } from '../world.ts'

export const limitRules = entriesOf({
  [`8-1 page_size is 1 to ${pageSizeMax}, ${pageSizeDefault} by default; page is from 1 on, 1 by default`]:
    seenBy('4-7', '4-8'),
  [`8-2 an Idempotency-Key of ${idempotencyKeyMax} characters is accepted, one of ${idempotencyKeyMax + 1} rejected`]:
    seenBy('D4-8'),
  '8-3 a manifest has at least one line, and a line a quantity from 1 on': seenBy('4.1-2', '2.3-2'),
  '8-4 a subscription cannot be changed to no event types': seenBy('4.7-7'),
  '8-5 requests beyond the limit are a 429 rate_limited, for this key only': async (world) => {
    const rejection = await overrun(world, 'getItemSummary')
    rejected(rejection, 429, 'rate_limited')
    const { limited, strangerKey, transport } = world.subject
    if (strangerKey === undefined) return
    const headers = { 'x-api-key': strangerKey }
    const call = world.callOf('getItemSummary', { headers })
    const other = await (limited?.transport ?? transport)(call)
    same(other.status, 200, "the status for another partner's key")
  },
  '9-1 every path is served under /v1': overHttp(async (world) => {
    const { baseUrl, key } = world.subject
    same(baseUrl.endsWith('/v1'), true, 'the root ends with /v1')
    const headers = { 'x-api-key': key }
    const path = `${baseUrl.slice(0, -'/v1'.length)}${operations.listProducts.path}`
    same((await world.raw({ method: 'GET', path, headers })).status, 404, 'status outside of /v1')
  }),
})

const burstMax = 500

/** Sends more requests at once than the policy allows. Throws `Unseen` if there is no limit or it is too high to try. */
export async function overrun(world: World, id: OperationId | undefined): Promise<Seen> {
  const { transport, key } = world.subject.limited ?? world.subject
  const ask = () => transport(world.callOf(id, { headers: { 'x-api-key': key } }))
  const policy = (await ask()).headers['ratelimit-policy'] ?? ''
  const quota = Number(/q=(\d+)/.exec(policy)?.[1] ?? Number.NaN)
  if (Number.isNaN(quota)) throw new Unseen('the service has no rate limit')
  if (quota > burstMax) throw new Unseen(`a limit of ${quota} requests is too high to test`)
  const replies = await Promise.all(Array.from({ length: quota * 2 }, ask))
  const rejection = replies.find(({ status }) => status === 429)
  holds(rejection !== undefined, `one of ${replies.length} requests at once is rejected`)
  return seenOf(id, rejection)
}
