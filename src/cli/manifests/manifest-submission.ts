import type { Client } from '../../client/client.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import type { Manifest, ManifestLine, ManifestWithLines } from '../../contract/resources/manifest.ts'
import { CliError } from '../base/cli-error.ts'
import { noticedTime } from '../base/times.ts'
import type { Session } from '../command.ts'
import { findManifest } from '../find/find-manifest.ts'
import { fingerprintOf, importKey } from '../imports/import-key.ts'
import type { ImportOptions } from '../imports/import-options.ts'
import { unnoted } from '../imports/journal/journal-notes.ts'
import {
  type Keeping,
  keepLonger,
  keptFile,
  keptRecord,
  makeKeptFolder,
} from '../imports/journal/kept-file.ts'
import { isAhead, isReplayedStill, isThere } from '../imports/journal/still-there.ts'
import { type ManifestNote, noteKeeping, readNote, writeNote } from './manifest-note.ts'
import { checkReference, type NewManifest } from './open-reference.ts'

/** What became of the rows that were sent. `created` is left out if the operation does not say. */
export type Submitted = {
  manifest: Manifest
  created?: ManifestLine[]
  errors: CsvRowError[]
  isReplay: boolean
}

/** A manifest about to be submitted. `given`: everything but the bytes that decides which manifest it is. */
type Submission = {
  sha256: string
  manifest: NewManifest
  given: string
  options: ImportOptions
}

/**
 * Submits a manifest by `send`, unless these bytes are one with this reference already: then nothing is sent once the
 * service may have forgotten the request. Throws `conflict` where that one was submitted with other options.
 */
export async function submitOnce(
  session: Session,
  { sha256, manifest: wanted, given, options }: Submission,
  send: (client: Client, idempotencyKey: string) => Promise<Submitted>,
): Promise<Submitted> {
  const { client, identity, keyMark } = await session.targetToWrite()
  const now = session.io.now()
  const { reference } = wanted
  const keeping = noteKeeping(session.io.env, { target: identity, sha256, reference }, keyMark)
  const path = keptFile(keeping)
  makeKeptFolder(keeping)
  const note = await earlierNote(client, keeping, options)
  const isSame = note?.given === given
  const fingerprint = fingerprintOf({ target: identity, endpoint: 'manifests', sha256, options: given })
  const key = note && isSame ? note.key : importKey(fingerprint, options)
  const remember = (one: Omit<ManifestNote, 'key' | 'given'>): void => {
    try {
      writeNote(path, { ...one, key, given }, now)
    } catch (error) {
      session.notice(unnoted(path, error))
    }
  }
  if (note && !(isSame && isReplayedStill(note.at, now))) {
    const manifest = await noted(client, note)
    if (manifest && !isSame) throw otherOptions(session, reference, note)
    if (manifest) {
      const { at, ...undated } = note
      if (isAhead(at, now)) remember(undated)
      else keepLonger(path, now)
      return shown(manifest, note)
    }
  }
  if (!options.again && !isSame) {
    const there = await checkReference(session, client, wanted)
    if (there) {
      // Once it is closed, only the note tells of it.
      remember({ id: there.id, submitted_at: there.created_at, errors: [] })
      return shown(there, { errors: [] })
    }
  }
  const submitted = await send(client, key)
  const at = new Date(now).toISOString()
  const { manifest, errors, isReplay } = submitted
  const since = isReplay ? note?.at : at
  const submitted_at = isReplay ? manifest.created_at : at
  remember({ id: manifest.id, submitted_at, errors, ...(since && { at: since }) })
  return submitted
}

/** Undefined if the bytes are to be sent again on purpose. */
async function earlierNote(
  client: Client,
  keeping: Keeping,
  { again, idempotencyKey }: ImportOptions,
): Promise<ManifestNote | undefined> {
  if (again) return undefined
  return keptRecord(keeping, {
    read(path) {
      const note = readNote(path)
      return idempotencyKey === undefined || note?.key === idempotencyKey ? note : undefined
    },
    startedAt: ({ submitted_at }) => submitted_at,
    isOurs: async (note) => (await noted(client, note)) !== undefined,
  })
}

/** Undefined if the target no longer has it: it was reset or restored since. */
async function noted(
  client: Client,
  { id }: ManifestNote,
): Promise<Manifest | ManifestWithLines | undefined> {
  let found: Manifest | ManifestWithLines | undefined
  await isThere(async () => {
    found = await findManifest(client, id)
  })
  return found
}

/** The earlier result, with the lines as they are now. */
function shown(found: Manifest | ManifestWithLines, { errors }: Pick<ManifestNote, 'errors'>): Submitted {
  if (!('lines' in found)) return { manifest: found, errors, isReplay: true }
  const { lines, ...manifest } = found
  return { manifest, created: lines, errors, isReplay: true }
}

function otherOptions({ io }: Session, reference: string, { submitted_at }: ManifestNote): CliError {
  const time = noticedTime(io, submitted_at)
  return new CliError(
    'conflict',
    `${reference} has these bytes already (submitted ${time}, with other options); a manifest cannot be changed.`,
    { hint: '--again submits another.' },
  )
}
