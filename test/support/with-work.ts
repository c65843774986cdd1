import type { UnitOfWork } from '../../src/engine/context.ts'
import { defaultSettings } from '../../src/engine/settings.ts'
import { openWork } from '../../src/engine/unit-of-work.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import type { Harness } from './harness.ts'

/** Does in one transaction what no operation offers: the warehouse's side, in any environment. */
export function withWork<T>(
  harness: Harness,
  task: (work: UnitOfWork) => Promise<T>,
  scope: Scope = harness.scope,
): Promise<T> {
  return harness.db.write(async (tx) => {
    const work = await openWork(tx, scope, harness.sources, defaultSettings)
    const result = await task(work)
    await work.finish()
    return result
  })
}
