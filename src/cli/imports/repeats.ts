import { newUuid } from '../../runtime/identifiers.ts'
import { sha256 } from '../base/crypto.ts'
import type { Session } from '../command.ts'
import { offersHeader } from '../connection/operation-support.ts'
import type { Target } from '../connection/target-type.ts'
import type { ImportOptions } from './import-options.ts'

/** How a request of an import is sent. `headers`: what the service does with what it has carried out before. */
export type SendHow = {
  idempotencyKey: string
  headers: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}

/** How often what failed in a stored result is looked for under the key of its next attempt, before a new one is taken. */
export const attemptsMax = 50

/** What decides on repeats in one import. */
export type Repeats = {
  /** The key of a request that sends these bytes: the same for the same, on every machine and day. */
  keyOf: (operation: string, bytes: string | Uint8Array) => string
  headers: Readonly<Record<string, string>>
  /** Whether rows that failed in a stored result are sent once more: what made them fail may be settled since. */
  retries: boolean
}

/** Asks the service to skip what was carried out before. */
export const skipping = { 'custody-repeats': 'skip' }

/** --again sends everything once more, under new keys. --idempotency-key names the key of the first request; others get a number. */
export async function repeatsOf(
  session: Session,
  target: Pick<Target, 'client' | 'isService'>,
  { again, idempotencyKey }: Pick<ImportOptions, 'again' | 'idempotencyKey'>,
): Promise<Repeats> {
  const skips = !again && (await offersRepeats(session, target))
  const [mode, own] = [skips ? 'skip' : 'allow', newUuid()]
  let requests = 0
  const keyOf: Repeats['keyOf'] = (operation, bytes) => {
    requests += 1
    if (idempotencyKey !== undefined) return requests === 1 ? idempotencyKey : `${idempotencyKey}-${requests}`
    if (again) return `import-${own}-${requests}`
    return `import-${sha256(JSON.stringify([operation, mode, sha256(bytes)]), 40)}`
  }
  const retries = !again && idempotencyKey === undefined
  return { keyOf, headers: skips ? skipping : {}, retries }
}

/** A service of another make may not know the header, and would carry out twice what it is told to skip. */
async function offersRepeats(
  session: Session,
  { client, isService }: Pick<Target, 'client' | 'isService'>,
): Promise<boolean> {
  if (!isService || (await offersHeader(client, 'custody-repeats', session.io.stopSignal()))) return true
  session.notice(
    'This service does not recognize repeats: only the same file again is safe, for as long as it keeps results.',
  )
  return false
}
