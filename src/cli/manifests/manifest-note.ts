import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { sha256 } from '../base/crypto.ts'
import { removeOlder } from '../base/drafts.ts'
import { ownerOnly, replaceFile } from '../base/durable-file.ts'
import type { Io } from '../base/io.ts'
import { stateFolder } from '../connection/target-settings.ts'
import type { Keeping } from '../imports/journal/kept-file.ts'

/** What is recorded of a submitted manifest, because the service forgets the request after a while. */
export type ManifestNote = {
  id: string
  key: string
  /** Everything but the bytes that decides which manifest it is. */
  given: string
  submitted_at: string
  /** When the service carried it out; left out if it had the result already, since then the time is unknown. */
  at?: string
  /** Rows that the service refused. */
  errors: CsvRowError[]
}

/** A manifest cannot be changed, so that a second one of the same purchase does harm for as long as it is open. */
const keptMs = 400 * 86_400_000
const errorsMax = 1000

/** The file of the note: one for each target, file content and reference. */
export function noteKeeping(
  env: Io['env'],
  one: { target: string; sha256: string; reference: string },
  keyMark: Keeping['keyMark'],
): Keeping {
  const name = sha256(JSON.stringify([one.target, one.sha256, one.reference]), 40)
  return { folder: join(stateFolder(env), 'manifests'), name, ending: '.json', keyMark }
}

/** Undefined if there is none that can be read. */
export function readNote(path: string): ManifestNote | undefined {
  try {
    const note = JSON.parse(readFileSync(path, 'utf8'))
    return typeof note?.id === 'string' && typeof note.key === 'string' ? note : undefined
  } catch {
    return undefined
  }
}

/** The folder must exist. */
export function writeNote(path: string, note: ManifestNote, now: number): void {
  removeOlder(dirname(path), (_, ageMs) => ageMs > keptMs, now)
  replaceFile(path, `${JSON.stringify({ ...note, errors: note.errors.slice(0, errorsMax) })}\n`, ownerOnly)
}
