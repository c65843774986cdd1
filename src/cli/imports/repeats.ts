import type { Client } from '../../client/client.ts'
import { replayedMs } from '../../contract/limits.ts'
import { once } from '../../contract/once.ts'
import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import { sha256 } from '../../domain/computing.ts'
import { newUuid } from '../../runtime/runtime.ts'
import type { Session } from '../command.ts'
import { offersHeader } from '../connection/operation-support.ts'
import { byId, type PageQuery, walkPages } from '../connection/paging.ts'
import { scopeTime } from '../connection/scope-time.ts'
import type { Target } from '../connection/target-type.ts'
import type { ImportOptions } from './import-options.ts'

/** `repeats`: `skip` if the service is not to carry out again what it has carried out. */
export type SendHow = {
  idempotencyKey: string
  repeats: 'skip' | undefined
  signal?: AbortSignal | undefined
}

/** How many stored attempts are followed, each by a key derived from the last. The one after them has a random key, and is the last. */
export const attemptsMax = 50

export type Repeats = {
  /** The same bytes of the same file give the same key, on every machine and day. */
  keyOf: (operation: string, bytes: string | Uint8Array) => string
  repeats: SendHow['repeats']
  /** Whether rows that failed in a stored result are sent again, since the cause may be gone. */
  retries: boolean
  /** Those of a stored result that were cancelled or returned since, by id and by reference, and those that are too old to resume. */
  gone?: ((orders: readonly StoredOrder[]) => Promise<ReadonlyMap<string, Fulfillment>>) | undefined
}

type StoredOrder = { id?: string; created_at: string; external_ref?: string | null }

/**
 * --idempotency-key is the first request's key; later ones add a number. `orders`: the file's hash, because equal rows of two files
 * may be two orders.
 */
export async function repeatsOf(
  session: Session,
  target: Pick<Target, 'client' | 'isService'>,
  { again, idempotencyKey }: Pick<ImportOptions, 'again' | 'idempotencyKey'>,
  orders?: string,
): Promise<Repeats> {
  const skips = !again && (await offersRepeats(session, target))
  const [mode, own] = [skips ? 'skip' : 'allow', newUuid()]
  let requests = 0
  const keyOf: Repeats['keyOf'] = (operation, bytes) => {
    requests += 1
    if (idempotencyKey !== undefined) return requests === 1 ? idempotencyKey : `${idempotencyKey}-${requests}`
    if (again) return `import-${own}-${requests}`
    return `import-${sha256(JSON.stringify([operation, mode, sha256(bytes)].concat(orders ?? []))).slice(0, 40)}`
  }
  const retries = !again && idempotencyKey === undefined
  // Without the header, the service would order them again.
  const gone = orders !== undefined && retries && skips ? goneOrders(session, target.client) : undefined
  return { keyOf, repeats: skips ? 'skip' : undefined, retries, gone }
}

/** Lists are newest first, so they are read only back to the oldest of the given orders. */
function goneOrders(session: Session, client: Client): Repeats['gone'] {
  const gone = new Map<string, Fulfillment>()
  const now = once(() => scopeTime(session))
  const walks = (['cancelled', 'returned'] as const).map((status) => {
    const fetch = (query: PageQuery) => client.listFulfillments({ query: { status, ...query } })
    return { pages: walkPages({ fetch, keyOf: byId }), reached: '~' }
  })
  const walkTo = async (since: string): Promise<void> => {
    for (const walk of walks)
      while (walk.reached >= since) {
        const { value, done } = await walk.pages.next()
        for (const order of value?.results ?? []) {
          gone.set(order.id, order)
          if (order.external_ref) gone.set(order.external_ref.normalize(), order)
          walk.reached = order.created_at
        }
        if (done) walk.reached = ''
      }
  }
  let walked = Promise.resolve()
  return async (orders) => {
    const [oldest] = orders.map(({ created_at }) => created_at).sort()
    if (oldest !== undefined) walked = walked.then(() => walkTo(oldest))
    await walked
    // A service may keep results for longer than seven days, and equal orders of another month may be new.
    const unnamed = orders.filter(({ external_ref }) => external_ref === null)
    const resumed = unnamed.length > 0 ? new Date((await now()) - replayedMs).toISOString() : ''
    for (const order of unnamed as Fulfillment[])
      if (order.created_at < resumed && !gone.has(order.id)) gone.set(order.id, order)
    return gone
  }
}

/** Another implementation may not know the header, and would then repeat the rows that it is told to skip. */
async function offersRepeats(
  session: Session,
  { client, isService }: Pick<Target, 'client' | 'isService'>,
): Promise<boolean> {
  if (!isService || (await offersHeader(client, 'custody-repeats'))) return true
  session.notice(
    'This service does not recognise repeats: only sending the same file again is safe, while the service keeps its results.',
  )
  return false
}
