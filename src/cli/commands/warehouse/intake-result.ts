import { replayedMs } from '../../../contract/limits.ts'
import type { IntakeEvent } from '../../../contract/resources/item.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import { pack, unpack } from '../../../service/pipeline/stored-body.ts'
import { findResult, insertResult, isRemembered } from '../../../store/tables/idempotency.ts'
import { CliError } from '../../base/cli-error.ts'
import { sha256 } from '../../base/crypto.ts'
import type { FileArrivals } from './intake-csv.ts'

/** The path under which results of the warehouse are stored; no path of the interface begins like this. */
const path = 'WAREHOUSE intake'

/** In the place of a manifest's id. */
const anyManifest = 'any'

/** A file that is to be taken in, and for which manifest. */
type FileIntake = Pick<FileArrivals, 'content'> & {
  name: string
  bytes: Uint8Array
  sheet: string | undefined
  manifestId: string | null
}

/** The result of taking this file in; undefined if that was not in the last seven days. */
export async function keptResult(
  work: UnitOfWork,
  file: FileIntake,
  now: number,
): Promise<string[] | undefined> {
  return (await resultOf(work, keyOf(file), now)) ?? (await resultOf(work, keyOfBytes(file), now))
}

/**
 * Refuses a file that was taken in for a manifest and comes without one now, or the other way round: a flag was forgotten, and
 * units have no certificate that would tell. Throws `conflict`.
 */
export async function refuseOtherwise(work: UnitOfWork, file: FileIntake, now: number): Promise<void> {
  const hasManifest = file.manifestId !== null
  const docs = await resultOf(work, keyOf({ ...file, manifestId: hasManifest ? null : anyManifest }), now)
  if (docs?.[0] === undefined) return
  const { intake_at } = JSON.parse(docs[0]) as IntakeEvent
  const how = hasManifest ? 'without a manifest' : 'for a manifest'
  throw new CliError(
    'conflict',
    `${file.name} was taken in ${how} at ${intake_at}; nothing was taken in now.`,
    {
      hint: '--again takes it in all the same.',
    },
  )
}

/** Stored in the transaction that takes the file in, so that both happen or neither. */
export async function keepResult(
  work: UnitOfWork,
  file: FileIntake,
  docs: readonly string[],
  now: number,
): Promise<void> {
  await store(work, keyOf(file), docs, now)
  if (file.manifestId === null) return
  await store(work, keyOf({ ...file, manifestId: anyManifest }), docs.slice(0, 1), now)
}

/**
 * The same for the same rows and id of a manifest: a job that runs again after a crash takes nothing in twice.
 */
function keyOf({ manifestId, content }: FileIntake): string {
  return sha256(JSON.stringify([manifestId, content]))
}

/** What an older custody has stored a result under. */
function keyOfBytes({ bytes, manifestId, sheet }: FileIntake): string {
  const given = JSON.stringify([manifestId, ...(sheet === undefined ? [] : [sheet])])
  return sha256(Buffer.concat([Buffer.from(given), bytes]))
}

async function resultOf(work: UnitOfWork, key: string, now: number): Promise<string[] | undefined> {
  const notBefore = new Date(now - replayedMs).toISOString()
  const kept = await findResult(work.tx, work.scope.id, path, key)
  if (!kept || !isRemembered(kept, notBefore)) return undefined
  return (JSON.parse(await unpack(kept.body)) as unknown[]).map((intake) => JSON.stringify(intake))
}

async function store(work: UnitOfWork, key: string, docs: readonly string[], now: number): Promise<void> {
  const body = await pack(`[${docs.join(',')}]`)
  const result = { fingerprint: key, status: 201, body, claims: work.claim.claims }
  if (!(await findResult(work.tx, work.scope.id, path, key))) work.claim.stored_results += 1
  await insertResult(work.tx, work.scope.id, path, key, result, new Date(now).toISOString())
}
