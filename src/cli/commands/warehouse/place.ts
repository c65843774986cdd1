import { type Command, Option } from 'commander'
import { type Environment, environments } from '../../../contract/enums.ts'
import type { Tx } from '../../../store/database.ts'
import { listScopes, type Scope } from '../../../store/tables/scopes.ts'
import { CliError, usage } from '../../base/cli-error.ts'
import type { Session } from '../../command.ts'
import { databaseSettings } from '../../database/database.ts'

export type PlaceOptions = {
  profile?: string
  database?: string
  partner?: string
  environment?: Environment
}

type Place = { database: string; partner: string | undefined; environment: Environment | undefined }

export function placeOptions(command: Command): Command {
  return command
    .optionsGroup('Where:')
    .option('--profile <name>', 'Use the database of this profile')
    .option('--database <database>', 'SQLite file or postgres:// address (default: your sandbox)')
    .option('--partner <name>', 'Partner (default: the only one in the database)')
    .addOption(
      new Option('--environment <name>', 'Environment (default: the only one)').choices(environments),
    )
}

/** Throws `usage` if the target is a service. */
export function placeOf(session: Session, options: PlaceOptions): Place {
  const { profile, database, partner, environment } = options
  const settings = databaseSettings(session, { ...(profile && { profile }), ...(database && { database }) })
  const isOfProfile = settings.profile !== undefined
  return {
    database: settings.database.value,
    partner: partner ?? (isOfProfile ? settings.partner.value : undefined),
    environment: environment ?? (isOfProfile ? settings.environment.value : undefined),
  }
}

/** Throws `not_found` if no scope fits, `usage` if several do. */
export async function scopeOf(tx: Tx, { partner, environment }: Place): Promise<Scope> {
  const scopes = await listScopes(tx)
  const meant = scopes.filter(
    (scope) =>
      (partner === undefined || scope.partner_name === partner) &&
      (environment === undefined || scope.environment === environment),
  )
  const [scope, ...others] = meant
  if (scope === undefined) {
    const wanted = [partner, environment].filter(Boolean).join(' in ')
    const known = scopes.map(nameOf).join(', ')
    throw new CliError('not_found', `The database contains no data of ${wanted || 'any partner'}.`, {
      ...(known !== '' && { hint: `It contains: ${known}.` }),
    })
  }
  if (others.length === 0) return scope
  const flags = [
    ...(meant.some(({ partner_name }) => partner_name !== scope.partner_name) ? ['--partner'] : []),
    ...(meant.some((other) => other.environment !== scope.environment) ? ['--environment'] : []),
  ]
  throw usage(`The database contains ${meant.map(nameOf).join(', ')}.`, `Choose with ${flags.join(' and ')}.`)
}

function nameOf({ partner_name, environment }: Scope): string {
  return `${partner_name} (${environment})`
}
