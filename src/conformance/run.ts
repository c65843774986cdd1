import { createClient, ServiceError } from '../client/client.ts'
import { NetworkError } from '../client/network-error.ts'
import type { Call, Reply, Transport } from '../contract/call.ts'
import type { OperationId } from '../contract/operations.ts'
import { shown } from './check.ts'
import { Unseen } from './outcomes.ts'
import type { Subject } from './subject.ts'
import { type Check, openWorld, type World } from './world.ts'

type Verdict = 'ok' | 'FAILED' | 'not seen'

/** `seen`: the service's behaviour if it differs, or why it cannot be seen; empty if ok. */
export type Finding = { clause: string; verdict: Verdict; text: string; seen: string }

/** Reports each check as it ends. Throws `NetworkError` if the service does not respond. */
export async function runConformance(
  subject: Subject,
  entries: readonly Check[],
  tell: (finding: Finding) => Promise<void>,
): Promise<Finding[]> {
  const world = await openWorld(subject)
  const findings: Finding[] = []
  for (const entry of entries) {
    const finding = await examine(world, entry)
    findings.push(finding)
    await tell(finding)
  }
  return findings
}

export async function examine(world: World, entry: Check): Promise<Finding> {
  const { clause, text } = entry
  if (entry.over === 'http' && !world.subject.raw) {
    return { clause, text, verdict: 'not seen', seen: 'only HTTP has it; give --base-url' }
  }
  return { clause, text, ...(await attempt(world, entry)) }
}

async function attempt(world: World, check: Check): Promise<Pick<Finding, 'verdict' | 'seen'>> {
  try {
    await check.run(world)
    return { verdict: 'ok', seen: '' }
  } catch (error) {
    if (error instanceof Unseen) return { verdict: 'not seen', seen: error.message }
    return { verdict: 'FAILED', seen: told(error) }
  }
}

function told(error: unknown): string {
  if (error instanceof ServiceError) {
    return `the service rejected: ${error.status} ${error.code} ${error.message} ${shown(error.extra)}`
  }
  if (error instanceof NetworkError) return `no answer: ${error.message}`
  return error instanceof Error ? error.message : String(error)
}

/** Resources to undo later: by id, the kind and the API key that created them. A check may undo its own. */
type Made = Map<string, { kind: Kind; key: string; isUndone?: true }>
type Kind = 'webhook' | 'order' | 'transfer' | 'manifest' | 'product' | 'item'

type TakenBack = { undone: Partial<Record<Kind, number>>; left: Partial<Record<Kind, number>> }

type Body = Partial<Record<string, unknown>>

const makers: Partial<Record<OperationId, readonly [Kind, (body: Body) => unknown[]]>> = {
  createSubscription: ['webhook', ({ id }) => [id]],
  createFulfillment: ['order', ({ id }) => [id]],
  importFulfillmentsCsv: ['order', ({ created }) => idsOf(created, 'id')],
  requestTransfer: ['transfer', ({ id }) => [id]],
  submitManifest: ['manifest', ({ id }) => [id]],
  submitManifestCsv: ['manifest', ({ manifest }) => idsOf([manifest], 'id')],
  createProduct: ['product', ({ product_id }) => [product_id]],
  importProductsCsv: ['product', ({ created }) => idsOf(created, 'product_id')],
  createIntakes: ['item', ({ intakes }) => idsOf(intakes, 'qid')],
  receiveManifest: ['item', ({ intakes }) => idsOf(intakes, 'qid')],
}

const undoing: readonly OperationId[] = ['deleteSubscription', 'cancelFulfillment', 'cancelTransfer']

/** Records the resources created through the subject, and deletes or cancels them as far as the service allows. */
export function trailOf(subject: Subject): { subject: Subject; takeBack(): Promise<TakenBack> } {
  const made: Made = new Map()
  const transport: Transport = async (call) => {
    const reply = await subject.transport(call)
    if (reply.status < 300) remember(made, call, reply)
    return reply
  }
  const recorded = { ...subject, transport }
  return { subject: recorded, takeBack: () => takeBack(recorded, made) }
}

function remember(made: Made, { operation, params, headers }: Call, { body }: Reply): void {
  const ended = operation && undoing.includes(operation) && made.get(Object.values(params)[0] ?? '')
  if (ended) ended.isUndone = true
  const maker = operation && makers[operation]
  if (!maker) return
  const [kind, idsIn] = maker
  for (const id of idsIn(JSON.parse(body) as Body))
    if (typeof id === 'string') made.set(id, { kind, key: String(headers['x-api-key']) })
}

function idsOf(list: unknown, name: string): unknown[] {
  return Array.isArray(list) ? list.map((each) => (each as Body | null)?.[name]) : []
}

async function takeBack({ transport, baseUrl }: Subject, made: Made): Promise<TakenBack> {
  const taken: TakenBack = { undone: {}, left: {} }
  let calls = 0
  for (const [id, one] of made) {
    const { kind, key } = one
    const client = createClient({
      transport: (call) => transport({ ...call, headers: { 'x-api-key': key, ...call.headers } }),
      baseUrl,
      newIdempotencyKey: () => `undo-${id}-${++calls}`,
    })
    const undo: Partial<Record<Kind, () => Promise<unknown>>> = {
      webhook: () => client.deleteSubscription({ params: { subscription_id: id } }),
      order: () => client.cancelFulfillment({ params: { fulfillment_id: id } }),
      transfer: () => client.cancelTransfer({ params: { transfer_id: id } }),
    }
    if (!one.isUndone) await undo[kind]?.().catch(() => {})
    const counts = one.isUndone ? taken.undone : taken.left
    counts[kind] = (counts[kind] ?? 0) + 1
  }
  return taken
}
