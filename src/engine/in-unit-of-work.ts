import { assert } from '../domain/rejection.ts'
import type { Tx, WriteOptions } from '../store/database.ts'
import { findScopeById, type Scope } from '../store/tables/scopes.ts'
import type { UnitOfWork, Workplace } from './context.ts'
import { openWork } from './unit-of-work.ts'

/** `trace`: the request's. `ask`: a query sent with the claim, to save its round trip. */
type How<A> = WriteOptions & { ask?: (tx: Tx) => Promise<A>; trace?: string | undefined }

/** The only place that opens, finishes, and announces a write. `task` may run again before a commit. Throws on an unknown id. */
export async function inUnitOfWork<T, A = undefined>(
  { db, sources, settings, wake }: Workplace,
  scope: Scope | number,
  task: (work: UnitOfWork, asked: A) => Promise<T>,
  { ask, trace, ...how }: How<A> = {},
): Promise<T> {
  const scopeId = typeof scope === 'number' ? scope : scope.id
  let wakes = false
  const result = await db.write(
    async (tx) => {
      const found = typeof scope === 'number' ? await findScopeById(tx, scope) : scope
      if (!found) throw new Error(`scope ${scopeId} is gone`)
      assert(found.id === scopeId, 'a transaction belongs to the requested scope', scopeId, found.id)
      const [work, asked] = await Promise.all([openWork(tx, found, sources, settings, trace), ask?.(tx)])
      const done = await task(work, asked as A)
      await work.finish()
      wakes = work.wakes
      return done
    },
    { lane: scopeId, ...how },
  )
  if (wakes) wake?.(scopeId)
  return result
}
