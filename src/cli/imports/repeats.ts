import { NetworkError } from '../../client/network-error.ts'
import { ServiceError } from '../../client/service-error.ts'
import { newUuid } from '../../runtime/identifiers.ts'
import { CliError } from '../base/cli-error.ts'
import { sha256 } from '../base/crypto.ts'
import type { Session } from '../command.ts'
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
  /** Leaves to the service what was carried out before. */
  skips: boolean
  /** The key of a request that sends these bytes: the same for the same, on every machine and day. */
  keyOf: (operation: string, bytes: string | Uint8Array) => string
  headers: Readonly<Record<string, string>>
  /** Whether rows that failed in a stored result are sent once more: what made them fail may be settled since. */
  retries: boolean
}

/** Asks the service to skip what was carried out before. */
export const skipping = { 'custody-repeats': 'skip' }

/**
 * The service remembers what was carried out, if it offers that. --again sends everything once more, under keys of its own.
 * `--idempotency-key` names the key of the first request; others get a number.
 */
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
  return { skips, keyOf, headers: skips ? skipping : {}, retries }
}

/** A service of another make may not know the header, and would carry out twice what it is told to skip. */
async function offersRepeats(
  session: Session,
  { client, isService }: Pick<Target, 'client' | 'isService'>,
): Promise<boolean> {
  if (!isService) return true
  const signal = session.io.stopSignal()
  const document = await client.getOpenApi({ signal }).catch((error: unknown) => {
    if (signal.aborted) throw new CliError('interrupted', 'Interrupted before anything was sent.')
    if (isLacking(error)) return undefined
    throw error
  })
  if (document !== undefined && /custody-repeats/i.test(document.text)) return true
  session.notice(
    'This service does not recognize repeats: only the same file again is safe, for as long as it keeps results.',
  )
  return false
}

/** Anything else is not known to lack it. */
function isLacking(error: unknown): boolean {
  if (error instanceof NetworkError) return error.fault === 'foreign'
  if (error instanceof CliError) return error.ending === 'not_offered'
  return error instanceof ServiceError && error.status === 404
}
