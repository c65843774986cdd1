import { dirname } from 'node:path'
import type { Command } from 'commander'
import type { Environment } from '../../contract/enums.ts'
import { isDatabaseAddress, shownPlace } from '../../domain/database-address.ts'
import { Rejection } from '../../domain/rejection.ts'
import { type Database, StoreError } from '../../store/database.ts'
import { usingDatabase } from '../../store/open.ts'
import { readVersion, schemaVersion } from '../../store/schema-version.ts'
import type { SqliteOptions } from '../../store/sqlite/sqlite-file.ts'
import { CliError } from '../base/cli-error.ts'
import { makeFolder } from '../base/durable-file.ts'
import type { Session } from '../command.ts'
import { isMissingFile, storeFailure } from '../connection/database-place.ts'
import type { EmbeddedSettings, TargetOptions } from '../connection/target.ts'
import { embeddedSettings, noticeUnseen, rejectUnseen } from '../connection/target-settings.ts'

export type DatabaseOptions = { database?: string }

export function databaseOption(command: Command): Command {
  return command.option('--database <database>', 'SQLite file or postgres:// address (default: your sandbox)')
}

/** Creates the folder of a default database. Throws `usage` for a service, or if an unnamed sandbox would be created unseen. */
export function databaseSettings(
  { io, notice }: Pick<Session, 'io' | 'notice'>,
  named: Pick<TargetOptions, 'profile' | 'database'>,
): EmbeddedSettings {
  const settings = embeddedSettings(io, named)
  const { value: place, source } = settings.database
  if (isMissingFile(place)) rejectUnseen(io, settings, '--database')
  else noticeUnseen(io, settings, notice)
  const isTyped = source === 'flag' || source === 'environment'
  if (!isTyped && !isDatabaseAddress(place)) makeFolder(dirname(place))
  return settings
}

export function databasePlace(
  session: Pick<Session, 'io' | 'notice'>,
  { database }: DatabaseOptions,
): string {
  return databaseSettings(session, database ? { database } : {}).database.value
}

export function noticeWriting({ writingTo }: Session, place: string, environment?: Environment): void {
  writingTo({ environment, label: `the database ${shownPlace(place)}` })
}

/** Throws `CliError` if the database is missing, has another schema version, or cannot be used. */
export async function withDatabase<T>(
  session: Session,
  options: DatabaseOptions,
  task: (db: Database, place: string) => Promise<T>,
  opening: SqliteOptions = {},
): Promise<T> {
  const place = databasePlace(session, options)
  if (isMissingFile(place)) {
    throw new CliError('unreachable', `${place} does not exist.`, {
      hint: `Create it with: custody db migrate --database ${place}`,
    })
  }
  return inWords(() =>
    usingDatabase(place, { ...opening, mustExist: true }, async (db) => {
      await rejectOldSchema(db, place)
      return task(db, place)
    }),
  )
}

/** Throws faults of the database as `CliError`, with the tool's messages. */
export async function inWords<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    if (error instanceof StoreError) throw storeFailure(error)
    if (error instanceof Rejection && error.code === 'state_conflict')
      throw new CliError('conflict', error.message)
    throw error
  }
}

async function rejectOldSchema(db: Database, place: string): Promise<void> {
  const version = await readVersion(db)
  if (version === schemaVersion) return
  const shown = shownPlace(place)
  if (version === 0) {
    throw new CliError('not_found', `${shown} contains no custody data.`, {
      hint: 'Set it up with: custody db migrate',
    })
  }
  throw new CliError(
    'conflict',
    `${shown} has schema version ${version}, but this version of custody needs ${schemaVersion}.`,
    {
      hint: version < schemaVersion ? 'Migrate it with: custody db migrate' : 'Install the newer version.',
    },
  )
}
