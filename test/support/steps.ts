import type { Client } from '../../src/client/client.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import { createService } from '../../src/service/service.ts'
import { type Database, StoreError } from '../../src/store/database.ts'
import { clientWith, type Harness } from './harness.ts'

/** Its own process, whose clock is a second later at each reading, so each step is as short as possible. */
export function inShortSteps(harness: Harness, db: Database = harness.db): Client {
  let uptime = 0
  const sources = { ...harness.sources, uptime: () => (uptime += 1_000) }
  const service = createService({ db, environment: 'sandbox', sources, settings: defaultSettings })
  return clientWith(service, harness.key, harness.sources)
}

/** A process that is cut off after this many writes. */
export function cutOffAfter(harness: Harness, writes: number): Database {
  let left = writes
  return {
    ...harness.db,
    async write(fn, how) {
      left -= 1
      if (left < 0) throw new StoreError('unreachable', 'cut off')
      return harness.db.write(fn, how)
    },
  }
}
