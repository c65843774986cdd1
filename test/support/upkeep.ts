import { dayMs } from '../../src/contract/limits.ts'
import { defaultSettings } from '../../src/engine/context.ts'
import type { Leader } from '../../src/service/jobs/scheduler.ts'
import { createKeyUse } from '../../src/service/jobs/scheduler.ts'
import { upkeepChores } from '../../src/service/jobs/upkeep.ts'
import type { Database } from '../../src/store/database.ts'
import type { Harness } from './harness.ts'

/** Runs a service's timed work once. Returns the scopes for which it failed. */
export async function upkeep(of: Harness, db: Database = of.db, mayContinue = () => true): Promise<string[]> {
  const { sources, service, scope } = of
  const keyUse = createKeyUse(db, sources.clock)
  const options = { db, sources, environment: scope.environment, keyUse, wake: service.signal.notify }
  const leader: Leader = { only: (_name, _ms, task) => task(), resign: async () => {} }
  const idempotencyMs = 7 * dayMs
  const failed: string[] = []
  const onFault = (_error: unknown, partner: string) => failed.push(partner)
  const more = { settings: defaultSettings, leader, idempotencyMs, warn: () => {}, onFault }
  for (const chore of upkeepChores({ ...options, ...more })) await chore.run(mayContinue)
  return failed
}
