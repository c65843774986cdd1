import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import multipart from '@fastify/multipart'
import { type FastifyInstance, type FastifyReply, fastify } from 'fastify'
import type { Call, Reply, Transport } from '../../contract/call.ts'
import { type OperationId, operation as operationOf, operations } from '../../contract/operations.ts'
import { invalid, type Rejection } from '../../domain/rejection.ts'
import type { Rate } from '../../domain/token-bucket.ts'
import { runtime } from '../../runtime/runtime.ts'
import type { Database } from '../../store/database.ts'
import { isWell } from '../../store/maintenance/health.ts'
import { createStrangers, type Strangers } from '../limits/limiter.ts'
import { longAnswer } from '../limits/work-limits.ts'
import { requestIdOf, tenths } from '../observe/scrub.ts'
import { internalErrorReply, rejectedReply, unavailableReply } from '../pipeline/reply.ts'
import type { Service } from '../service.ts'
import { callOf, requestFault, versionPrefix } from './http-call.ts'
import { type Pace, slowestTaking, watchConnections } from './http-connections.ts'
import { formLimits } from './http-form.ts'
import { knowConnection, limitPipelines } from './http-pipelining.ts'
import { type Note, newRequestId, rejectMalformed, rejectTunnel, send, sendLong } from './http-reply.ts'

export type HttpOptions = {
  service: Service
  db: Database
  /** The service's address as clients see it, with or without `/v1`, for page links; default: the request's own host. */
  publicUrl?: string | undefined
  /** Allowed rejections without a valid key per address (default: 10 a second, 50 at once). */
  strangers?: Rate
  maxConnections?: number
  /** Milliseconds until a request's headers must have arrived (default 10,000), and all of it (default 300,000). */
  headersTimeoutMs?: number
  requestTimeoutMs?: number
  /** Milliseconds that a connection may read nothing of its response (default 30,000; twice that at worst). */
  stallMs?: number
  pace?: Pace
  /** Slowest rates of reading a response and sending a body; the defaults are in http-connections.ts. */
  arrivalPace?: Pace
  /** Milliseconds that /healthz waits for the database (default 2,500). */
  healthMs?: number
  /** Milliseconds that running requests have to finish when the server closes (default 30,000). */
  drainMs?: number
  /** Milliseconds that incoming requests have to arrive whole when the server closes (default 1,000). */
  arrivalMs?: number
  onFault?: (error: unknown) => void
  /** Called with requests that never reach the service: malformed ones, and those for /healthz. */
  note?: Note
}

export type HttpServer = {
  server: Server
  /** Port 0 picks a free one. Returns the address, without a path. */
  listen(host: string, port: number): Promise<string>
  close(): Promise<void>
}

const headBytesMax = 16 * 1024
/** Longer than common proxies keep an idle connection, so that the proxy is the one to close it. */
const keepAliveMs = 72_000
/** The system's queue of unaccepted connections, within its own limit: Node.js's 511 overflow when many come at once. */
const backlog = 4096

export async function createHttpServer(options: HttpOptions): Promise<HttpServer> {
  const closing = new AbortController()
  const routing: Routing = {
    handle: options.service.handle,
    publicUrl: options.publicUrl && /^.*[^/]/s.exec(options.publicUrl)?.[0].replace(/\/v1$/, ''),
    closing: closing.signal,
    strangers: createStrangers(options.strangers),
    pace: options.pace ?? slowestTaking,
    onFault: options.onFault ?? (() => {}),
    note: options.note ?? (() => {}),
  }
  const app = bareApp(options, routing)
  limitPipelines(app.server)
  const connections = watchConnections(app.server, options)
  addHealth(app, routing, options)
  addRoutes(app, routing, false)
  await app.register(async (forms) => {
    await forms.register(multipart, formLimits)
    addRoutes(forms, routing, true)
  })
  await app.ready()
  return {
    server: app.server,
    async listen(host, port) {
      await app.listen({ host, port, backlog })
      const { address, family, port: taken } = app.server.address() as AddressInfo
      return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`
    },
    async close() {
      closing.abort()
      const callOff = connections.end(options.arrivalMs ?? 1_000, options.drainMs ?? 30_000)
      await app.close()
      callOff()
    },
  }
}

function bareApp(options: HttpOptions, routing: Routing): FastifyInstance {
  const headersTimeout = options.headersTimeoutMs ?? 10_000
  const app: FastifyInstance = fastify({
    logger: false,
    connectionTimeout: options.stallMs ?? 30_000,
    requestTimeout: options.requestTimeoutMs ?? 300_000,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: headBytesMax, querystringParser: () => ({}) },
    http: {
      maxHeaderSize: headBytesMax,
      headersTimeout,
      connectionsCheckingInterval: Math.min(2_000, headersTimeout),
      requireHostHeader: false,
      optimizeEmptyRequests: true,
    },
    clientErrorHandler: (error, socket) => rejectMalformed(error, socket, routing.note),
    frameworkErrors: (_error, _request, reply) => void answerUnknown(routing, reply as never),
  })
  app.server.maxConnections = options.maxConnections ?? 1_000
  app.server.on('connect', (request, socket) => rejectTunnel(request, socket as Socket, routing.note))
  continueOnDemand(app.server)
  // The service reads bodies itself, so a request with a rejected key never costs an upload.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.setErrorHandler((error, _request, reply) => answerFault(routing, error, reply))
  app.setNotFoundHandler((_request, reply) => answerUnknown(routing, reply))
  return app
}

/** `Expect: 100-continue` is answered when the body is read (http-call.ts); other expectations need no answer. */
function continueOnDemand(server: Server): void {
  const takeOn = (request: IncomingMessage, response: ServerResponse): boolean =>
    server.emit('request', request, response)
  server.on('checkContinue', takeOn)
  server.on('checkExpectation', takeOn)
}

/** Outside of version 1, without a key (decisions 10). Returns 503 if the database does not answer in time. */
function addHealth(
  app: FastifyInstance,
  routing: Routing,
  { db, healthMs }: { db: Database; healthMs?: number },
): void {
  // Anybody may call it, so concurrent calls share one query.
  let asking: Promise<boolean> | undefined
  const ask = (): Promise<boolean> => {
    asking ??= isWell(db, healthMs).finally(() => (asking = undefined))
    return asking
  }
  app.get(healthPath, { exposeHeadRoute: true }, async ({ raw }, reply) => {
    const fault = requestFault(raw)
    if (fault) return answerHere(routing, reply, 'healthz', () => rejectedReply(fault), { isLast: true })
    const started = runtime.uptime()
    const isUp = await ask()
    return answerHere(routing, reply, 'healthz', (id) => (isUp ? ok() : unavailableReply(id)), { started })
  })
}

function ok(): Reply {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' }
}

type Routing = {
  handle: Transport
  publicUrl: string | undefined
  closing: AbortSignal
  pace: Pace
  strangers: Strangers
  onFault: (error: unknown) => void
  note: Note
}

/** `takingForms`: adds the operations with a form, or all others; a form needs an instance that can parse it. */
function addRoutes(app: FastifyInstance, routing: Routing, takingForms: boolean): void {
  for (const id of Object.keys(operations) as OperationId[])
    if ((operationOf(id).form !== undefined) === takingForms) addRoute(app, routing, id)
}

function addRoute(app: FastifyInstance, routing: Routing, id: OperationId): void {
  const { method, path } = operationOf(id)
  // A fixed path such as `/products/csv` is not an identifier.
  const words = paths.filter((other) => other !== path && !other.includes('{') && fits(path, other))
  app.route({
    method: method === 'GET' ? ['GET', 'HEAD'] : method,
    url: `${versionPrefix}${path.replace(/\{(\w+)\}/g, ':$1')}`,
    config: { operation: id },
    handler: (_request, reply) => {
      const call = callOf(reply, id, routing.publicUrl)
      const isOther = words.length > 0 && words.includes(pathOf(reply.request.url) ?? '')
      // The router treats a trailing slash as an empty identifier.
      if (isOther || Object.values(call.params).includes('')) return answerUnknown(routing, reply)
      return answer(routing, call, reply)
    },
  })
}

function answerUnknown(routing: Routing, reply: FastifyReply): Promise<FastifyReply> {
  const call = callOf(reply, undefined, routing.publicUrl)
  return answer(routing, { ...call, params: {}, allow: allowedMethods(reply.request.url) }, reply)
}

/** The framework only rejects invalid content types; any other error is a bug here. */
async function answerFault(routing: Routing, error: unknown, reply: FastifyReply): Promise<FastifyReply> {
  const { operation } = reply.request.routeOptions.config as { operation?: OperationId }
  if (isMediaTypeFault(error)) {
    if (operation === undefined) return answerUnknown(routing, reply)
    const body = async (): Promise<never> => {
      throw invalid({ 'content-type': ['is not a media type'] })
    }
    return answer(routing, { ...callOf(reply, operation, routing.publicUrl), body }, reply)
  }
  routing.onFault(error)
  return answerHere(routing, reply, operation ?? 'unknown', internalErrorReply)
}

function isMediaTypeFault(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE'
}

async function answer(routing: Routing, call: Call, reply: FastifyReply): Promise<FastifyReply> {
  const { raw } = reply.request
  // No work is done for a client that has gone or was cut off.
  if (raw.socket.destroyed) return reply.hijack()
  const { operation, address = '' } = call
  const rejectLast = (rejection: Rejection): FastifyReply =>
    answerHere(routing, reply, operation ?? 'unknown', () => rejectedReply(rejection), { isLast: true })
  const fault = requestFault(raw)
  if (fault) return rejectLast(fault)
  const hasKey = call.headers['x-api-key'] !== undefined
  const early = hasKey || operation === 'getOpenApi' ? undefined : routing.strangers(address)
  if (early) return rejectLast(early)
  const waits = operation !== undefined && operationOf(operation).waits
  const answered = waits ? await answerOrEnd(routing, call, raw) : await routing.handle(call)
  if (hasKey && operation !== 'getOpenApi' && answered.status < 400) knowConnection(raw.socket)
  const late = hasKey && answered.status === 401 ? routing.strangers(address) : undefined
  if (late) return rejectLast(late)
  // An open connection would keep the server from stopping.
  const isLast = routing.closing.aborted
  const shared = answered.encoded?.bytes?.length
  // Without a key, the OpenAPI document is the only long response. If 20 requests for it are pipelined, one is answered.
  if (shared !== undefined && shared > longAnswer) return send(reply, answered, true)
  const isWhole = answered.body.length <= longAnswer || shared !== undefined
  if (isWhole) return send(reply, answered, isLast)
  await sendLong(reply, answered, isLast, routing.pace)
  // The server may have begun to stop while the response was being read.
  if (routing.closing.aborted) raw.socket.end()
  return reply
}

function answerHere(
  routing: Routing,
  reply: FastifyReply,
  operation: string,
  answerFor: (requestId: string) => Reply,
  { started = runtime.uptime(), isLast = routing.closing.aborted } = {},
): FastifyReply {
  const request_id = requestIdOf(reply.request.raw.headers['x-request-id'], newRequestId)
  const answered = answerFor(request_id)
  answered.headers['x-request-id'] = request_id
  const duration_ms = tenths(runtime.uptime() - started)
  const address = reply.request.raw.socket.remoteAddress ?? ''
  routing.note({ request_id, operation, status: answered.status, duration_ms, address })
  return send(reply, answered, isLast)
}

/** A wait for events ends when the client goes or the server stops. */
async function answerOrEnd(
  { handle, closing }: Routing,
  call: Call,
  { socket }: IncomingMessage,
): Promise<Reply> {
  const abort = new AbortController()
  const end = (): void => abort.abort()
  if (closing.aborted) end()
  socket.once('close', end)
  closing.addEventListener('abort', end)
  try {
    return await handle({ ...call, signal: abort.signal })
  } finally {
    socket.off('close', end)
    closing.removeEventListener('abort', end)
  }
}

const healthPath = '/healthz'

const paths: readonly string[] = Object.values(operations).map(({ path }) => path)

function allowedMethods(url: string): string[] {
  if (url.split('?')[0] === healthPath) return ['GET']
  const path = pathOf(url)
  if (path === undefined) return []
  const isNamed = paths.includes(path)
  const fitting = Object.values(operations).filter((one) =>
    isNamed ? one.path === path : fits(one.path, path),
  )
  return [...new Set(fitting.map(({ method }) => method))].sort()
}

function fits(pattern: string, path: string): boolean {
  const [known, parts] = [pattern.split('/'), path.split('/')]
  return (
    known.length === parts.length &&
    known.every((p, i) => (p.startsWith('{') ? parts[i] !== '' : p === parts[i]))
  )
}

function pathOf(url: string): string | undefined {
  const path = url.split('?')[0] ?? ''
  return path.startsWith(`${versionPrefix}/`) ? path.slice(versionPrefix.length) : undefined
}
