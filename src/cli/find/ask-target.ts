import { ServiceError } from '../../client/client.ts'
import { NetworkError } from '../../client/network-error.ts'
import { CliError } from '../base/cli-error.ts'
import type { Session } from '../command.ts'
import { isMissingFile } from '../connection/database-place.ts'
import { placeOf } from '../connection/embedded-target.ts'
import { targetSettings } from '../connection/target-settings.ts'
import type { Target } from '../connection/target-type.ts'

/** Undefined if the target cannot answer (with a notice) or does not exist yet (silently). */
export async function askTarget<T>(
  session: Session,
  ask: (client: Target['client']) => Promise<T>,
): Promise<T | undefined> {
  try {
    const settings = targetSettings(session.io, session.options)
    if (settings.kind !== 'service' && isMissingFile(placeOf(settings).file)) return undefined
    return await ask((await session.target()).client)
  } catch (error) {
    const isKnown = [CliError, NetworkError, ServiceError].some((kind) => error instanceof kind)
    if (!isKnown || (error instanceof CliError && error.ending === 'interrupted')) throw error
    session.notice(`The target was not asked about the rows: ${(error as Error).message}`)
    return undefined
  }
}
