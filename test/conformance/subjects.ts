import { openOwnSubject } from '../../src/cli/commands/conformance/own-subject.ts'
import { httpSubject } from '../../src/conformance/http-subject.ts'
import type { Subject } from '../../src/conformance/subject.ts'
import { createHttpServer, type HttpServer } from '../../src/service/http/http.ts'
import { databases } from '../support/harness.ts'
import { isLong } from '../support/soak.ts'

export type Opened = { subject: Subject; close(): Promise<void> }

/** Ways to reach the same service; the result must be the same. `npm test` takes two, which meet each database and each transport. */
export const ways = databases
  .flatMap(({ name, open }) => [
    { way: `in process on ${name}`, open: () => openOver(open), isUsual: name === 'SQLite' },
    { way: `over HTTP on ${name}`, open: () => openOverHttp(open), isUsual: name === 'PostgreSQL' },
  ])
  .filter(({ isUsual }) => isLong || isUsual)

async function openOver(open: (typeof databases)[number]['open']): Promise<Opened> {
  const { db, dispose } = await open()
  return {
    ...(await openOwnSubject(db)),
    async close() {
      await db.close()
      dispose()
    },
  }
}

/** The services of the subject, each behind its own server. */
async function openOverHttp(open: (typeof databases)[number]['open']): Promise<Opened> {
  const { db, dispose } = await open()
  const { subject, services } = await openOwnSubject(db)
  const servers: HttpServer[] = []
  const serve = async (name: keyof typeof services, key: string): Promise<Subject> => {
    const server = await createHttpServer({ service: services[name], db })
    servers.push(server)
    return httpSubject({ baseUrl: `${await server.listen('127.0.0.1', 0)}/v1`, key })
  }
  const { key, strangerKey, otherEnvironmentKey } = subject
  return {
    subject: {
      ...(await serve('sandbox', key)),
      strangerKey,
      otherEnvironmentKey,
      production: await serve('production', otherEnvironmentKey ?? ''),
      limited: await serve('limited', key),
    },
    async close() {
      for (const server of servers) await server.close()
      await db.close()
      dispose()
    },
  }
}
