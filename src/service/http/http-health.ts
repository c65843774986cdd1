import type { FastifyInstance } from 'fastify'
import type { Reply } from '../../contract/call.ts'
import { runtime } from '../../runtime/runtime.ts'
import type { Database } from '../../store/database.ts'
import { isWell } from '../../store/maintenance/health.ts'
import { refusedReply, unavailableReply } from '../pipeline/reply.ts'
import { requestFault } from './http-call.ts'
import { answerHere, healthPath, type Routing } from './http-routes.ts'

/**
 * `/healthz`, outside of version 1 and without a key, for whatever monitors the process (decisions 10). 503 if the database
 * does not answer in time.
 */
export function addHealth(
  app: FastifyInstance,
  routing: Routing,
  { db, healthMs }: { db: Database; healthMs?: number },
): void {
  // Anybody may ask: the database gets one question at a time, however many do.
  let asking: Promise<boolean> | undefined
  const ask = (): Promise<boolean> => {
    asking ??= isWell(db, healthMs).finally(() => (asking = undefined))
    return asking
  }
  app.get(healthPath, { exposeHeadRoute: true }, async ({ raw }, reply) => {
    const fault = requestFault(raw)
    if (fault) return answerHere(routing, reply, 'healthz', () => refusedReply(fault))
    const started = runtime.uptime()
    const isUp = await ask()
    return answerHere(routing, reply, 'healthz', (id) => (isUp ? ok() : unavailableReply(id)), { started })
  })
}

function ok(): Reply {
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'ok' }
}
