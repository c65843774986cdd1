import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isDatabaseAddress, shownPlace } from '../../domain/database-address.ts'
import { CliError } from '../base/cli-error.ts'
import { failureOf } from '../base/failure.ts'
import type { Io } from '../base/io.ts'
import { quoted } from '../base/shell-word.ts'
import { isMissingFile, type Missing, missingDataError, noSuchFile } from '../connection/database-place.ts'
import type { EmbeddedSettings } from '../connection/target.ts'
import { isOwn, rejectUnseen, targetFlags } from '../connection/target-settings.ts'
import { type Examination, examineDatabase } from '../database/examine.ts'
import { type Check, clockCheck, failed } from './check.ts'

/** Changes nothing. `isNew`: no command has used the database yet, so it may be missing. */
export async function checkDatabase(io: Io, settings: EmbeddedSettings, isNew: boolean): Promise<Check[]> {
  const file = settings.database.value
  try {
    if (isMissingFile(file)) return [missingCheck(io, settings, isNew)]
    const found = await examineDatabase(file, settings.partner.value, settings.environment.value)
    const checks: Check[] = [
      { check: 'database', detail: shownPlace(file) },
      schemaCheck(found, settings),
      integrityCheck(found),
      ...rightsChecks(found),
      ...spaceChecks(file),
    ]
    if (found.version !== found.versionKnown || found.damage.length > 0) return checks
    return [...checks, partnerCheck(found, settings), ...timeChecks(found, io)]
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    return [failed('database', failureOf(error))]
  }
}

/** Throws the error of commands that read, if they would not create the file. */
function missingCheck(io: Io, settings: EmbeddedSettings, isNew: boolean): Check {
  const { database, environment } = settings
  const missing = `${database.value} does not exist yet; `
  const check = 'database'
  if (isNew) {
    const seed = `, or with samples: custody sandbox seed --profile ${quoted(database.name)}`
    const samples = environment.value === 'sandbox' ? seed : ''
    return { check, detail: `${missing}the first command that writes creates it${samples}` }
  }
  rejectUnseen(io, settings, targetFlags)
  if (!isOwn(settings)) throw noSuchFile(settings.database)
  return { check, detail: `${missing}the first command creates it` }
}

function schemaCheck({ version, versionKnown }: Examination, settings: EmbeddedSettings): Check {
  const check = 'schema'
  const rejection = version === 0 ? rejectedFor('schema', settings) : undefined
  if (rejection) return rejection
  if (version === versionKnown) return { check, detail: `version ${version}` }
  if (version < versionKnown) {
    return { check, detail: `version ${version}; the next command migrates it to ${versionKnown}` }
  }
  const detail = `version ${version}, but this version of custody supports at most ${versionKnown}: install the newer version`
  return { check, detail, ending: 'conflict' }
}

function integrityCheck({ damage }: Examination): Check {
  const [first] = damage
  if (first === undefined) return { check: 'integrity', detail: 'ok' }
  const detail = `damaged (${first}): stop using it and restore it from a backup`
  return { check: 'integrity', detail, ending: 'unreachable' }
}

/** Older versions left permissions to the umask, although the file contains addresses and webhook secrets. */
function rightsChecks({ shared }: Examination): Check[] {
  if (shared.length === 0) return []
  const detail = `other users can read it; make it private with: chmod 600 ${shared.join(' ')}`
  return [{ check: 'rights', detail, isWarning: true }]
}

/** A backup needs as much space as the database, and its log grows to tens of megabytes. */
export function spaceChecks(
  file: string,
  stat: (folder: string) => { bavail: number; bsize: number } = statfsSync,
): Check[] {
  if (isDatabaseAddress(file)) return []
  const { bavail, bsize } = stat(dirname(file))
  if (bavail * bsize >= Math.max(statSync(file).size, 100_000_000)) return []
  const free = (bavail * bsize) / 1_000_000
  const detail = `only ${free.toFixed(1)} MB are free in ${dirname(file)}: free some space, or writes soon fail`
  return [{ check: 'disk', detail, isWarning: true }]
}

function partnerCheck({ scope, missing }: Examination, settings: EmbeddedSettings): Check {
  const rejection = missing && rejectedFor(missing, settings)
  if (rejection) return rejection
  const { partner, environment } = settings
  const who = `${partner.value} (${environment.value})`
  return {
    check: 'partner',
    detail: scope ? who : `${who} has no data yet; the first command creates it`,
  }
}

/** Undefined if commands create what is missing. */
function rejectedFor(missing: Missing, { database, partner }: EmbeddedSettings): Check | undefined {
  const error = missingDataError(missing, database.value, partner.value)
  if (error === undefined) return undefined
  return failed(missing === 'schema' ? 'schema' : 'partner', failureOf(error))
}

/** Time in a scope never goes back: if the last write is in the future, this machine's clock has gone back. */
function timeChecks({ scope }: Examination, io: Io): Check[] {
  if (scope === undefined) return []
  const ours = io.now() + scope.clock_offset_ms
  const last = Date.parse(scope.last_at)
  return [last > ours ? clockCheck(last, ours) : { check: 'clock', detail: 'not behind the last write' }]
}
