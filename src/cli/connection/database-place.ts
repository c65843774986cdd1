import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { isDatabaseAddress } from '../../domain/database-address.ts'
import { usage } from '../base/cli-error.ts'

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
