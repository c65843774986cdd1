import { endKey, findKeyNamed } from '../../../../engine/keys.ts'
import { runtime } from '../../../../runtime/runtime.ts'
import { confirm, confirmable } from '../../../ask/confirm.ts'
import type { CommandFile, Session } from '../../../command.ts'
import {
  type DatabaseOptions,
  databaseOption,
  noticeWriting,
  withDatabase,
} from '../../../database/database.ts'
import { sayNotFound } from './issued.ts'

export const command: CommandFile<[string, DatabaseOptions]> = {
  summary: 'Revoke a key immediately',
  details: 'The next request with the key fails. To replace a key without an interruption, rotate it.',
  examples: ['admin keys revoke sk_live_Ab12Cd --yes'],
  define: (revoke) => confirmable(databaseOption(revoke.argument('<key>', 'Prefix or id, as ls shows it'))),
  isOffline: true,
  isPlain: true,
  run,
}

async function run(session: Session, name: string, options: DatabaseOptions): Promise<void> {
  await withDatabase(session, options, async (db, place) => {
    const notFound = sayNotFound(`key ${name}`, 'See: custody admin keys ls')
    const key = await db.read((tx) => findKeyNamed(tx, name)).catch(notFound)
    const question = `Revoke the key ${key.prefix}… of ${key.partner_name} (${key.environment})?`
    await confirm(session, question, () => noticeWriting(session, place, key.environment))
    await db.write((tx) => endKey(tx, runtime, key.id))
    session.io.out.write(`Revoked ${key.prefix}… of ${key.partner_name} (${key.environment})\n`)
  })
}
