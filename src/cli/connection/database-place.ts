import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDatabaseAddress, shownPlace } from '../../domain/database-address.ts'
import type { MissingData } from '../../service/embedded.ts'
import type { StoreError } from '../../store/database.ts'
import { CliError, usage } from '../base/cli-error.ts'
import { quoted } from '../base/shell-word.ts'

/** Throws `usage` without repeating the address: taken for a file, it would be created by that name, password included. */
export function placeNamed(text: string, where: string, cwd: string): string {
  if (isDatabaseAddress(text)) return text
  const file = text.replace(/^sqlite:(\/\/)?/i, '')
  const [scheme] = /^[a-z][a-z0-9+.-]{1,60}:\/\/|^postgres[a-z]{0,9}:/i.exec(file) ?? []
  if (scheme !== undefined) throw usage(`${where}: a database address cannot start with "${scheme}".`, advice)
  if (file === '') throw usage(`${where}: sqlite: names no file.`, advice)
  return resolve(cwd, file)
}

/** An address counts as present: it is not looked up. */
export function isMissingFile(place: string): boolean {
  return !isDatabaseAddress(place) && !existsSync(place)
}

const advice = 'Give a SQLite file (FILE or sqlite:FILE) or an address (postgres://USER@HOST/NAME)'

export type Missing = MissingData

/** Undefined for a file without partners: custody adds them. Elsewhere, a typo must not add tables or partners to shared data. */
export function missingDataError(missing: Missing, file: string, partner: string): CliError | undefined {
  if (missing !== 'partner' && !isDatabaseAddress(file)) return undefined
  const place = shownPlace(file)
  const option = `--database ${quoted(place)}`
  if (missing === 'schema') {
    return new CliError('not_found', `${place} contains no custody data.`, {
      hint: `Check its name, or set it up with: custody db migrate ${option}, then with the same --database: custody admin partners create ${quoted(partner)}`,
    })
  }
  return new CliError('not_found', `${place} has no partner named ${partner}.`, {
    hint: `List its partners with: custody admin partners ls ${option}; choose one with: custody init --partner NAME; create one with: custody admin partners create NAME`,
  })
}

export function storeFailure(error: StoreError): CliError {
  return new CliError(error.fault === 'newer_schema' ? 'conflict' : 'unreachable', error.message)
}

type Named = { value: string; source: string; name: string }

export function noSuchFile({ value, source, name }: Named): CliError {
  const target = source === 'profile' ? `--profile ${quoted(name)}` : `--database ${quoted(value)}`
  return new CliError('unreachable', `The database ${value} does not exist.`, {
    hint: `Check its name, or create one with sample data: custody sandbox seed ${target}`,
  })
}
