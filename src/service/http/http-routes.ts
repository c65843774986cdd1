import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Call, Reply, Transport } from '../../contract/call.ts'
import { type OperationId, operation as operationOf, operations } from '../../contract/operations.ts'
import { invalid, type Rejection } from '../../domain/rejection.ts'
import { runtime } from '../../runtime/runtime.ts'
import type { Strangers } from '../limits/limiter.ts'
import { longAnswer } from '../limits/work-limits.ts'
import { requestIdOf, tenths } from '../observe/scrub.ts'
import { internalErrorReply, rejectedReply } from '../pipeline/reply.ts'
import { callOf, requestFault, versionPrefix } from './http-call.ts'
import type { Pace } from './http-connections.ts'
import type { Note } from './http-malformed.ts'
import { knowConnection } from './http-pipelining.ts'
import { newRequestId, send, sendLong } from './http-reply.ts'

export type Routing = {
  handle: Transport
  publicUrl: string | undefined
  closing: AbortSignal
  pace: Pace
  strangers: Strangers
  onFault: (error: unknown) => void
  note: Note
}

/** `takingForms`: adds the operations with a form, or all others; a form needs an instance that can parse it. */
export function addRoutes(app: FastifyInstance, routing: Routing, takingForms: boolean): void {
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

export function answerUnknown(routing: Routing, reply: FastifyReply): Promise<FastifyReply> {
  const call = callOf(reply, undefined, routing.publicUrl)
  return answer(routing, { ...call, params: {}, allow: allowedMethods(reply.request.url) }, reply)
}

/** The framework only rejects invalid content types; any other error is a bug here. */
export async function answerFault(
  routing: Routing,
  error: unknown,
  reply: FastifyReply,
): Promise<FastifyReply> {
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
  const fault = requestFault(raw)
  if (fault) return answerHere(routing, reply, call.operation ?? 'unknown', () => rejectedReply(fault))
  const { operation, address = '' } = call
  const hasKey = call.headers['x-api-key'] !== undefined
  const early = hasKey || operation === 'getOpenApi' ? undefined : routing.strangers.rejectionOf(address)
  if (early) return rejectStranger(routing, call, reply, early)
  const waits = operation !== undefined && operationOf(operation).waits
  const answered = waits ? await answerOrEnd(routing, call, raw) : await routing.handle(call)
  if (hasKey && operation !== 'getOpenApi' && answered.status < 400) knowConnection(raw.socket)
  const late = hasKey && answered.status === 401 ? routing.strangers.rejectionOf(address) : undefined
  if (late) return rejectStranger(routing, call, reply, late)
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

function rejectStranger(
  routing: Routing,
  { operation }: Call,
  reply: FastifyReply,
  rejection: Rejection,
): FastifyReply {
  return answerHere(routing, reply, operation ?? 'unknown', () => rejectedReply(rejection), { isLast: true })
}

export function answerHere(
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

export const healthPath = '/healthz'

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
