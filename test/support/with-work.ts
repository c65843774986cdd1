import { defaultSettings, type UnitOfWork } from '../../src/engine/context.ts'
import { inUnitOfWork } from '../../src/engine/unit-of-work.ts'
import type { Scope } from '../../src/store/tables/scopes.ts'
import type { Harness } from './harness.ts'

/** Runs in one transaction something that no operation offers: the warehouse's work, in any environment. */
export function withWork<T>(
  harness: Pick<Harness, 'db' | 'sources' | 'scope'>,
  task: (work: UnitOfWork) => Promise<T>,
  scope: Scope = harness.scope,
): Promise<T> {
  return inUnitOfWork({ db: harness.db, sources: harness.sources, settings: defaultSettings }, scope, task)
}
