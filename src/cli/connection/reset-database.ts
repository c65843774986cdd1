import { existsSync } from 'node:fs'
import { isDatabaseAddress, shownPlace } from '../../domain/database-address.ts'
import { runtime } from '../../runtime/runtime.ts'
import { readVersion, rejectNewer } from '../../store/schema-version.ts'
import { listPartners, type PartnerRow } from '../../store/tables/scopes.ts'
import { CliError } from '../base/cli-error.ts'
import { moveFile } from '../base/durable-file.ts'
import { inWords, type Place, placeOf } from './embedded-target.ts'
import { makeDatabase } from './make-database.ts'
import type { EmbeddedSettings, TargetOptions } from './target.ts'

/** Throws `conflict` if the database is not an embedded sandbox that may be deleted. */
export async function checkDisposable(settings: EmbeddedSettings): Promise<void> {
  await inWords(() => checkIsAlone(placeOf(settings)))
}

/** Throws if the sandbox is in use or contains other partners' data. */
export async function resetDatabase(
  settings: EmbeddedSettings,
  { seed }: TargetOptions,
  notice: (text: string) => void,
): Promise<void> {
  const place = placeOf(settings)
  await inWords(async () => {
    await checkIsAlone(place)
    await makeDatabase(place, seed !== false, notice, async (draft) => {
      // Again, because creating the new one took a while.
      await checkIsAlone(place)
      moveFile(draft, place.file)
      return true
    })
  })
}

/** If the write-ahead log remains after we close the database, another process has it open. */
async function checkIsAlone({ file, partner, environment }: Place): Promise<void> {
  if (environment !== 'sandbox' || isDatabaseAddress(file))
    throw new CliError('conflict', `${shownPlace(file)} is not your own sandbox; it was not deleted.`)
  if (!existsSync(file)) return
  const isOfOthers = (row: PartnerRow): boolean => row.name !== partner || row.environment === 'production'
  if ((await partnersIn(file)).some(isOfOthers)) {
    throw new CliError('conflict', `${file} contains more than the sandbox; it was not deleted.`)
  }
  if (existsSync(`${file}-wal`)) {
    throw new CliError('conflict', `${file} is open in another process.`, {
      hint: 'Stop that process first.',
    })
  }
}

/** Not through the service, which would write to the database first. */
async function partnersIn(file: string): Promise<PartnerRow[]> {
  const { usingDatabase } = await import('../../store/open.ts')
  return usingDatabase(file, { mustExist: true }, async (db) => {
    const version = await readVersion(db)
    rejectNewer(version)
    if (version === 0) return []
    return db.read((tx) => listPartners(tx, new Date(runtime.clock()).toISOString()))
  })
}
