import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { fastify } from 'fastify'
import type { Reply } from '../../contract/call.ts'
import type { Rate } from '../../domain/token-bucket.ts'
import { runtime } from '../../runtime/runtime.ts'
import type { Database } from '../../store/database.ts'
import { isWell } from '../../store/maintenance/health.ts'
import { createStrangers } from '../limits/limiter.ts'
import { rejectedReply, unavailableReply } from '../pipeline/reply.ts'
import type { Service } from '../service.ts'
import { requestFault } from './http-call.ts'
import type { Pace } from './http-connections.ts'
import { slowestTaking, watchConnections } from './http-connections.ts'
import { formLimits } from './http-form.ts'
import type { Note } from './http-malformed.ts'
import { rejectMalformed, rejectTunnel } from './http-malformed.ts'
import { limitPipelines } from './http-pipelining.ts'
import type { Routing } from './http-routes.ts'
import { addRoutes, answerFault, answerHere, answerUnknown, healthPath } from './http-routes.ts'

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
    if (fault) return answerHere(routing, reply, 'healthz', () => rejectedReply(fault))
    const started = runtime.uptime()
    const isUp = await ask()
    return answerHere(routing, reply, 'healthz', (id) => (isUp ? ok() : unavailableReply(id)), { started })
  })
}

function ok(): Reply {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' }
}
