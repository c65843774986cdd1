import { isDatabaseAddress, shownPlace } from '../../domain/database-address.ts'
import type { MissingData } from '../../service/embedded.ts'
import { CliError } from '../base/cli-error.ts'
import { quoted } from '../base/shell-word.ts'
import type { EmbeddedSettings } from './target.ts'

export type Missing = MissingData

/** Undefined for a file without partners: custody adds them. Elsewhere, a typo must not add tables or partners to shared data. */
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

export function noSuchFile({ database }: EmbeddedSettings): CliError {
  const { value, source, name } = database
  const target = source === 'profile' ? `--profile ${quoted(name)}` : `--database ${quoted(value)}`
  return new CliError('unreachable', `The database ${value} does not exist.`, {
    hint: `Check its name, or create one with sample data: custody sandbox seed ${target}`,
  })
}
