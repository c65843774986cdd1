import { join } from 'node:path'
import type { Subject } from '../../../conformance/subject.ts'
import type { Environment } from '../../../contract/enums.ts'
import { defaultSettings } from '../../../engine/context.ts'
import { ensureScope, issueKey } from '../../../engine/partners.ts'
import { runtime } from '../../../runtime/runtime.ts'
import { createMemoryLimiter } from '../../../service/limits/limiter.ts'
import { createService, type Service } from '../../../service/service.ts'
import type { Database } from '../../../store/database.ts'
import { migrate } from '../../../store/migrate.ts'
import { openSqlite } from '../../../store/sqlite/sqlite.ts'
import { removedAtEnd, temporaryFolder } from '../../base/temporary-folder.ts'

type SubjectOver = {
  subject: Subject
  services: Record<'sandbox' | 'production' | 'limited', Service>
}
export type OwnSubject = SubjectOver & { db: Database; close(): Promise<void> }

/** Low enough to exceed at once, and available again after a second. */
const lowRate = { rate_per_s: 5, burst: 5 }

/** The whole service in process, on a throw-away database, or on a given one, which stays open. */
export async function openOwnSubject(given?: Database): Promise<OwnSubject> {
  if (given) return { ...(await subjectOver(given)), db: given, close: async () => {} }
  const folder = temporaryFolder('custody-conformance-')
  const remove = removedAtEnd(folder)
  const db = openSqlite(join(folder, 'custody.db'))
  await migrate(db)
  return {
    ...(await subjectOver(db)),
    db,
    async close() {
      await db.close()
      remove()
    },
  }
}

/** With keys of two sandbox partners and of one in production, to test keys and environments. Only `limited` has rate limits. */
async function subjectOver(db: Database): Promise<SubjectOver> {
  const services = {
    sandbox: serviceOver(db, 'sandbox'),
    production: serviceOver(db, 'production'),
    limited: serviceOver(db, 'sandbox', true),
  }
  const key = await keyFor(db, 'Northgate Cards', 'sandbox')
  const otherEnvironmentKey = await keyFor(db, 'Northgate Cards', 'production')
  const subject = {
    transport: services.sandbox.handle,
    baseUrl: 'https://custody.example/v1',
    key,
    strangerKey: await keyFor(db, 'Harbor Collectibles', 'sandbox'),
    otherEnvironmentKey,
    production: { transport: services.production.handle, key: otherEnvironmentKey },
    limited: { transport: services.limited.handle, key },
  }
  return { services, subject }
}

function serviceOver(db: Database, environment: Environment, isLimited = false): Service {
  return createService({
    db,
    environment,
    sources: runtime,
    settings: defaultSettings,
    eventPollMs: 100,
    ...(isLimited && { limiter: createMemoryLimiter(lowRate) }),
  })
}

async function keyFor(db: Database, partner: string, environment: Environment): Promise<string> {
  return db.write(async (tx) => {
    const scope = await ensureScope(tx, runtime, partner, environment)
    return (await issueKey(tx, runtime, scope)).key
  })
}
