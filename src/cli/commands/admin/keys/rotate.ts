import { dayMs, keyGraceMaxMs } from '../../../../contract/limits.ts'
import { findKeyNamed, graceDefaultMs, rotateKey } from '../../../../engine/partners.ts'
import { runtime } from '../../../../runtime/runtime.ts'
import { usage } from '../../../base/cli-error.ts'
import { durationSeconds } from '../../../base/times.ts'
import type { CommandFile, Session } from '../../../command.ts'
import {
  type DatabaseOptions,
  databaseOption,
  noticeWriting,
  withDatabase,
} from '../../../database/database.ts'
import { issuedKey, printIssued, sayNotFound } from './issued.ts'

type Options = DatabaseOptions & { grace?: string }

export const command: CommandFile<[string, Options]> = {
  summary: 'Replace a key; the old one stays valid for a while',
  examples: ['admin keys rotate sk_live_Ab12Cd', 'admin keys rotate sk_live_Ab12Cd --grace 0'],
  define: (rotate) =>
    databaseOption(rotate.argument('<key>', 'Prefix or id, as ls shows it')).option(
      '--grace <duration>',
      `How long the old key stays valid, 0 to ${keyGraceMaxMs / dayMs}d (default: 24h)`,
    ),
  isOffline: true,
  view: () => issuedKey,
  run,
}

async function run(session: Session, name: string, options: Options): Promise<void> {
  const graceMs = graceOf(options.grace)
  const issued = await withDatabase(session, options, async (db, place) => {
    const notFound = sayNotFound(`key ${name}`, 'See: custody admin keys ls')
    const { environment } = await db.read((tx) => findKeyNamed(tx, name)).catch(notFound)
    noticeWriting(session, place, environment)
    return db.write((tx) => rotateKey(tx, runtime, name, graceMs)).catch(notFound)
  })
  await printIssued(session, issued)
  session.notice(`The old key ${issued.old.prefix}… ends at ${issued.oldExpiresAt}.`)
}

function graceOf(duration: string | undefined): number {
  if (duration === undefined) return graceDefaultMs
  const ms = durationSeconds(duration, '--grace') * 1000
  if (ms > keyGraceMaxMs)
    throw usage(`--grace: ${duration} is too long.`, `Give 0 to ${keyGraceMaxMs / dayMs}d.`)
  return ms
}
