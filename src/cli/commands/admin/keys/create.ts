import { Option } from 'commander'
import { type Environment, environments } from '../../../../contract/enums.ts'
import { createKey } from '../../../../engine/partners.ts'
import { runtime } from '../../../../runtime/runtime.ts'
import { durationSeconds } from '../../../base/times.ts'
import type { CommandFile, Session } from '../../../command.ts'
import {
  type DatabaseOptions,
  databaseOption,
  noticeWriting,
  withDatabase,
} from '../../../database/database.ts'
import { issuedKey, printIssued, sayNoPartner } from './issued.ts'

type Options = DatabaseOptions & { environment: Environment; expiresIn?: string }

export const command: CommandFile<[string, Options]> = {
  summary: 'Create an API key for a partner and show it once',
  examples: [
    'admin keys create "Northgate Cards"',
    'admin keys create "Northgate Cards" --environment production --expires-in 90d | install -m 600 /dev/stdin key.txt',
  ],
  define: (create) =>
    databaseOption(create.argument('<partner>', 'Partner name'))
      .addOption(
        new Option('--environment <name>', 'Environment the key is for')
          .choices(environments)
          .default('sandbox'),
      )
      .option('--expires-in <duration>', 'Lifetime, as in 90d (default: until it is revoked)'),
  isOffline: true,
  view: () => issuedKey,
  run,
}

async function run(session: Session, partner: string, options: Options): Promise<void> {
  const expiresAt = expiryOf(session, options.expiresIn)
  const { environment } = options
  const issued = await withDatabase(session, options, (db, place) => {
    noticeWriting(session, place, environment)
    return db
      .write((tx) => createKey(tx, runtime, partner, environment, expiresAt))
      .catch(sayNoPartner(partner))
  })
  await printIssued(session, issued)
}

function expiryOf({ io }: Session, duration: string | undefined): string | null {
  if (duration === undefined) return null
  return new Date(io.now() + durationSeconds(duration, '--expires-in') * 1000).toISOString()
}
