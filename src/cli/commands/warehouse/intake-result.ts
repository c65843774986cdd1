import { createHash } from 'node:crypto'
import { replayedMs } from '../../../contract/limits.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import { pack, unpack } from '../../../service/pipeline/stored-body.ts'
import { findResult, insertResult, isRemembered } from '../../../store/tables/idempotency.ts'

/** The path under which results of the warehouse are stored; no path of the interface begins like this. */
const path = 'WAREHOUSE intake'

/** The same for the same file, sheet and id of a manifest: a job that runs again after a crash takes nothing in twice. */
export function keyOfFile(bytes: Uint8Array, manifestId: string | null, sheet: string | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([manifestId, ...(sheet === undefined ? [] : [sheet])]))
    .update(bytes)
    .digest('hex')
}

/** The result of taking this file in; undefined if that was not in the last seven days. */
export async function keptResult(work: UnitOfWork, key: string, now: number): Promise<string[] | undefined> {
  const notBefore = new Date(now - replayedMs).toISOString()
  const kept = await findResult(work.tx, work.scope.id, path, key)
  if (!kept || !isRemembered(kept, notBefore)) return undefined
  return (JSON.parse(await unpack(kept.body)) as unknown[]).map((intake) => JSON.stringify(intake))
}

/** Stored in the transaction that takes the file in, so that both happen or neither. */
export async function keepResult(
  work: UnitOfWork,
  key: string,
  docs: readonly string[],
  now: number,
): Promise<void> {
  const body = await pack(`[${docs.join(',')}]`)
  const result = { fingerprint: key, status: 201, body, claims: work.claim.claims }
  if (!(await findResult(work.tx, work.scope.id, path, key))) work.claim.stored_results += 1
  await insertResult(work.tx, work.scope.id, path, key, result, new Date(now).toISOString())
}
