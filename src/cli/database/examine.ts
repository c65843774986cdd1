import type { Environment } from '../../contract/enums.ts'
import { isDatabaseAddress } from '../../domain/database-address.ts'
import { inScope, StoreError, type Tx } from '../../store/database.ts'
import { checkFile } from '../../store/maintenance/check.ts'
import { openDatabase } from '../../store/open.ts'
import { rejectOtherEncodings } from '../../store/postgres/pg-requirements.ts'
import { readVersion, schemaVersion } from '../../store/schema-version.ts'
import { isShared } from '../../store/sqlite/sqlite-file.ts'
import { findScope, missingPartner, readScopeClock } from '../../store/tables/scopes.ts'
import { inWords } from './database.ts'

export type Examination = {
  version: number
  versionKnown: number
  damage: string[]
  /** Files that others on this machine may read or change. */
  shared: string[]
  missing: 'partner' | 'partners' | undefined
  /** Undefined if the partner has no data yet. */
  scope: { last_at: string; clock_offset_ms: number } | undefined
}

const nothing = { missing: undefined, scope: undefined }

/** Changes nothing. Throws `CliError` if the database cannot be used. */
export async function examineDatabase(
  file: string,
  partner: string,
  environment: Environment,
): Promise<Examination> {
  const look = async (tx: Tx): Promise<Pick<Examination, 'missing' | 'scope'>> => {
    const found = await findScope(tx, partner, environment)
    const missing = found ? undefined : await missingPartner(tx, partner)
    return { missing, scope: found && (await readScopeClock(inScope(tx, found.id))) }
  }
  return inWords(async () => {
    const db = await openDatabase(file, { mustExist: true, readOnly: true })
    const files = isDatabaseAddress(file) ? [] : ['', '-wal', '-shm'].map((end) => file + end)
    const shared = files.filter((path) => isShared(path))
    try {
      if (db.dialect === 'postgres') await rejectOtherEncodings(db)
      const version = await readVersion(db)
      const damage = (await checkFile(db)).map(({ problem }) => problem)
      const isReadable = version === schemaVersion && damage.length === 0
      const { missing, scope } = isReadable ? await db.read(look) : nothing
      return { version, versionKnown: schemaVersion, damage, shared, missing, scope }
    } catch (error) {
      if (!(error instanceof StoreError) || error.fault !== 'corrupt') throw error
      const damage = [error.message]
      return { version: schemaVersion, versionKnown: schemaVersion, damage, shared, ...nothing }
    } finally {
      await db.close()
    }
  })
}
