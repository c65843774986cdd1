import { type Client, createClient, type Request, ServiceError } from '../client/library.ts'
import type { WebhookEvent } from '../contract/resources/event.ts'
import type { IntakeEvent } from '../contract/resources/item.ts'
import { Rejection } from '../domain/rejection.ts'
import { isUuid } from '../domain/uuid.ts'
import type { AttemptResult } from '../domain/webhooks/webhook-schedule.ts'
import { signedHeaders } from '../domain/webhooks/webhook-signature.ts'
import { type ClockAndRandom, defaultSettings } from '../engine/context.ts'
import { ensureScope, issueKey } from '../engine/partners.ts'
import type { Attempt } from '../engine/webhooks/delivery-attempts.ts'
import { runtime } from '../runtime/runtime.ts'
import type { HttpServer } from '../service/http/http.ts'
import { rejectedReply } from '../service/pipeline/reply.ts'
import { createService, type Service } from '../service/service.ts'
import type { DeliveryWorkerOptions } from '../service/webhooks/delivery-options.ts'
import { createDeliveryWorker } from '../service/webhooks/delivery-worker.ts'
import type { Database } from '../store/database.ts'
import { migrate } from '../store/migrate.ts'
import { openSqlite } from '../store/sqlite/sqlite.ts'
import { listKeyHolders } from '../store/tables/keys.ts'
import type { Custody, StartCustody, StartOptions } from './custody.ts'
import { seededRandom } from './seeded-random.ts'

const baseUrl = 'https://custody.test/v1'
const environment = 'sandbox'

/** Uses no real time or chance: the same calls give the same bytes. Throws if the file or `now` is not usable. */
export const startCustody: StartCustody = async (options = {}) => {
  const { file = ':memory:', partner = 'Northgate Cards', onWebhook } = options
  const db = openSqlite(file)
  try {
    await migrate(db)
    const sources = await sourcesOf(db, options)
    const apiKey = await makeKey(db, sources, partner)
    // Request ids use no random bytes, so an additional read changes no identifier.
    let requests = 0
    const service = createService({
      db,
      environment,
      sources,
      settings: defaultSettings,
      urlCheck: { resolve: async () => [] },
      newRequestId: () => `request-${++requests}`,
    })
    return custodyOver({ db, sources, service, apiKey, onWebhook })
  } catch (error) {
    await db.close()
    throw error
  }
}

type Parts = {
  db: Database
  sources: ClockAndRandom
  service: Service
  apiKey: string
  onWebhook: StartOptions['onWebhook']
}

function custodyOver({ db, sources, service, apiKey, onWebhook }: Parts): Custody {
  let { handle } = service
  const client = createClient({
    baseUrl,
    transport: (call) => handle({ ...call, headers: { 'x-api-key': apiKey, ...call.headers } }),
    newIdempotencyKey: () => Buffer.from(sources.random(12)).toString('hex'),
  })
  const delivery =
    onWebhook &&
    startDelivery({ db, environment, sources, settings: defaultSettings, signal: service.signal }, onWebhook)
  let server: Promise<HttpServer> | undefined
  let origin: Promise<string> | undefined
  return {
    client,
    apiKey,
    baseUrl,
    receive: (manifest, how = { outcome: 'complete' }) => receive(client, manifest, how),
    async advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      const span = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
      return (await client.advanceClock({ body: { seconds: span } })).data.now
    },
    events: () => Array.fromAsync(client.listEvents.all()),
    delivered: async () => delivery?.idle(),
    async listen() {
      const { createHttpServer } = await import('../service/http/http.ts')
      server ??= createHttpServer({ service, db })
      origin ??= server.then(({ listen }) => listen('127.0.0.1', 0))
      return { baseUrl: `${await origin}/v1` }
    },
    async close() {
      handle = () => Promise.reject(new Error('This custody was closed.'))
      await (await server)?.close()
      await delivery?.stop()
      await db.close()
    },
  }
}

/** A reopened file continues with another seed, so that identifiers are not repeated. */
async function sourcesOf(
  db: Database,
  { now = '2026-01-01T09:00:00.000Z', seed = 1 }: StartOptions,
): Promise<ClockAndRandom> {
  const time = new Date(now).getTime()
  if (Number.isNaN(time)) throw new TypeError(`now: ${now} is not a time`)
  const keys = await db.read(listKeyHolders)
  return { clock: () => time, uptime: () => 0, random: seededRandom(seed + keys.length * 7919) }
}

async function makeKey(db: Database, sources: ClockAndRandom, partner: string): Promise<string> {
  return db.write(async (tx) => {
    const scope = await ensureScope(tx, sources, partner, environment)
    return (await issueKey(tx, sources, scope)).key
  })
}

/** `named`: the manifest's id, or its reference, in which case the newest one is received. */
async function receive(
  client: Client,
  named: string,
  how: Request<'receiveManifest'>['body'],
): Promise<IntakeEvent[]> {
  const { data } = await client.listManifests({ query: { reference: named, page_size: 1 } })
  const manifest_id = data.results[0]?.id ?? named
  if (!isUuid(manifest_id)) {
    const message = `There is no manifest with the reference "${named}".`
    throw new ServiceError(rejectedReply(new Rejection('not_found', message)))
  }
  return (await client.receiveManifest({ params: { manifest_id }, body: how })).data.intakes
}

type Handler = NonNullable<StartOptions['onWebhook']>

/** Timers that never fire: deliveries are checked after each write, and when the clock moves. */
const noTimers = { after: () => () => {} }

/** Delivers to a function, one webhook at a time, as the real delivery does but without the network. */
function startDelivery(
  options: DeliveryWorkerOptions,
  handler: Handler,
): { idle(): Promise<void>; stop(): Promise<void> } {
  const worker = createDeliveryWorker({
    ...options,
    timers: noTimers,
    limits: { overall: 2, reserve: 1, subscription: 1 },
    attempt: (attempt) => handTo(handler, attempt),
  })
  worker.start()
  return { idle: () => worker.idle(), stop: () => worker.stop(0) }
}

/** Signed with the machine's time, since receivers compare it with their own. */
async function handTo(
  handler: Handler,
  { url, secrets, eventId, payload, number }: Attempt,
): Promise<AttemptResult> {
  try {
    const status = await handler({
      url,
      headers: {
        'content-type': 'application/json',
        ...signedHeaders(secrets, eventId, payload, runtime.clock()),
      },
      body: payload,
      event: JSON.parse(payload) as WebhookEvent,
      attempt: number,
    })
    return { response_code: status ?? 204, error: null, retry_after_ms: null }
  } catch (error) {
    return { response_code: null, error: `The handler threw: ${error}`, retry_after_ms: null }
  }
}
