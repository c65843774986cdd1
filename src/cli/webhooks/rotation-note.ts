import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { graceSecondsMax } from '../../contract/limits.ts'
import { sha256 } from '../base/crypto.ts'
import { removeOlder } from '../base/drafts.ts'
import { makeFolder, ownerOnly, replaceFile } from '../base/durable-file.ts'
import type { Session } from '../command.ts'
import { stateFolder } from '../connection/target-settings.ts'

/** When this machine last rotated the secret of a webhook, and until when the one before signs too. */
export type Rotation = { at: string; until: string }

/** The service does not tell whether a grace runs, so that the tool remembers those that it began. */
export async function rotationNote(session: Session, subscriptionId: string) {
  const { io } = session
  const { identity } = await session.target()
  const file = join(stateFolder(io.env), 'rotations', sha256(`${identity} ${subscriptionId}`, 40))
  return {
    /** The rotation whose grace runs now; undefined where none is known. */
    running(): Rotation | undefined {
      try {
        const rotation: Rotation = JSON.parse(readFileSync(file, 'utf8'))
        return Date.parse(rotation.until) > io.now() ? rotation : undefined
      } catch {
        return undefined
      }
    },
    /** Throws nothing: the new secret is to be shown whatever happens. */
    note(graceSeconds: number): void {
      const [at, until] = [io.now(), io.now() + graceSeconds * 1000].map((ms) => new Date(ms).toISOString())
      try {
        makeFolder(dirname(file))
        removeOlder(dirname(file), (_, ageMs) => ageMs > graceSecondsMax * 1000, io.now())
        replaceFile(file, JSON.stringify({ at, until }), ownerOnly)
      } catch {}
    },
  }
}
