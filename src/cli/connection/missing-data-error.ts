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
      hint: `Check its name; or begin it with: custody db migrate ${option}, then with the same --database: custody admin partners create ${quoted(partner)}`,
    })
  }
  return new CliError('not_found', `${place} has no partner called ${partner}.`, {
    hint: `See which it has with: custody admin partners ls ${option}; one of them is chosen with: custody init --partner NAME; a new one is made with: custody admin partners create NAME`,
  })
}

/** A file that an operator named, and that is not there to be read. */
export function noSuchFile({ database }: EmbeddedSettings): CliError {
  const { value, source, name } = database
  const target = source === 'profile' ? `--profile ${quoted(name)}` : `--database ${quoted(value)}`
  return new CliError('unreachable', `There is no database ${value}.`, {
    hint: `Check its name, or create one with sample data: custody sandbox seed ${target}`,
  })
}
