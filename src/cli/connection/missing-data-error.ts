import { isDatabaseAddress, shownPlace } from '../../domain/database-address.ts'
import type { MissingData } from '../../service/embedded.ts'
import { CliError } from '../base/cli-error.ts'
import { quoted } from '../base/shell-word.ts'
import type { EmbeddedSettings } from './target.ts'

/** What a database may lack. */
export type Missing = MissingData

/**
 * Why a database is refused for what it lacks; undefined where that is made: in a file that has no partner yet. Elsewhere
 * somebody makes it on purpose: a mistyped name must not leave tables behind in a database that is another's, nor a partner
 * of its own in one that is shared.
 */
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

/** A file that an operator named, and that is not there to be read. */
export function noSuchFile({ database }: EmbeddedSettings): CliError {
  const { value, source, name } = database
  const target = source === 'profile' ? `--profile ${quoted(name)}` : `--database ${quoted(value)}`
  return new CliError('unreachable', `The database ${value} does not exist.`, {
    hint: `Check its name, or create one with sample data: custody sandbox seed ${target}`,
  })
}
