import type { Environment } from '../../../../contract/enums.ts'
import { endKey, findKeyNamed } from '../../../../engine/partners.ts'
import { runtime } from '../../../../runtime/runtime.ts'
import { confirm, confirmable } from '../../../ask/ask.ts'
import type { CommandFile, Outcome, Session } from '../../../command.ts'
import {
  type DatabaseOptions,
  databaseOption,
  noticeWriting,
  withDatabase,
} from '../../../database/database.ts'
import { eachNamed, inAll, namesFrom } from '../../../list/several.ts'
import { sayNotFound } from './issued.ts'

export const command: CommandFile<[string[], DatabaseOptions]> = {
  summary: 'Revoke keys immediately',
  details: 'The next request with a revoked key fails. To replace a key without an interruption, rotate it.',
  examples: ['admin keys revoke sk_live_Ab12Cd --yes'],
  define: (revoke) =>
    confirmable(
      databaseOption(revoke.argument('<key...>', 'Prefixes or ids, as ls shows them; - for lines of stdin')),
    ),
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, given: string[], options: DatabaseOptions): Promise<Outcome> {
  const named = await namesFrom(session, given)
  return withDatabase(session, options, async (db, place) => {
    const ask = (question: string, environment?: Environment) =>
      confirm(session, question, () => noticeWriting(session, place, environment))
    if (named.isMany) await ask(`Revoke ${inAll(named, 'key')}?`)
    return eachNamed(session, named, async (name) => {
      const notFound = sayNotFound(`key ${name}`, 'See: custody admin keys ls')
      const { id, prefix, partner_name, environment } = await db
        .read((tx) => findKeyNamed(tx, name))
        .catch(notFound)
      const key = `${prefix}… of ${partner_name} (${environment})`
      if (!named.isMany) await ask(`Revoke the key ${key}?`, environment)
      await db.write((tx) => endKey(tx, runtime, id))
      session.io.out.write(`Revoked ${key}\n`)
    })
  })
}
