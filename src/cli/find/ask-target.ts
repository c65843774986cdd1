import { CliError } from '../base/cli-error.ts'
import { failureOf } from '../base/failure.ts'
import type { Session } from '../command.ts'
import { isMissingFile } from '../connection/database-place.ts'
import { placeOf } from '../connection/embedded-target.ts'
import { targetSettings } from '../connection/target-settings.ts'
import type { Target } from '../connection/target-type.ts'

/** Undefined if the target cannot answer (with a notice; `isStrict` throws) or does not exist yet (silently). */
export async function askTarget<T>(
  session: Session,
  ask: (client: Target['client']) => Promise<T>,
  isStrict = false,
): Promise<T | undefined> {
  try {
    const settings = targetSettings(session.io, session.options)
    if (settings.kind !== 'service' && isMissingFile(placeOf(settings).file)) return undefined
    return await ask((await session.target()).client)
  } catch (error) {
    const { ending, message } = failureOf(error)
    if (isStrict && ending === 'not_offered')
      throw new CliError(ending, message, {
        hint: 'To submit the rows without asking about them, add --offline.',
      })
    if (isStrict || ending === 'interrupted' || ending === 'internal') throw error
    session.notice(`The target was not asked about the rows: ${message}`)
    return undefined
  }
}
