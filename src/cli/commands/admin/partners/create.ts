import { createPartner } from '../../../../engine/partners.ts'
import { runtime } from '../../../../runtime/runtime.ts'
import { usage } from '../../../base/cli-error.ts'
import type { CommandFile, Session } from '../../../command.ts'
import {
  type DatabaseOptions,
  databaseOption,
  noticeWriting,
  withDatabase,
} from '../../../database/database.ts'
import { columnsOf, type View } from '../../../output/columns.ts'

export const command: CommandFile<[string, DatabaseOptions]> = {
  summary: 'Create a partner account',
  details: 'Then create a key: custody admin keys create NAME --environment sandbox',
  examples: ['admin partners create "Northgate Cards"'],
  define: (create) => databaseOption(create.argument('<name>', 'Partner name, unique')),
  isOffline: true,
  view: () => view,
  run,
}

const view: View = {
  columns: columnsOf<Awaited<ReturnType<typeof createPartner>>>(
    { name: 'id', kind: 'id' },
    { name: 'name' },
    { name: 'created_at', kind: 'time' },
  ),
}

const nameMax = 200

async function run(session: Session, name: string, options: DatabaseOptions): Promise<void> {
  const given = name.trim()
  if (given === '' || given.length > nameMax)
    throw usage(`A partner's name must have 1 to ${nameMax} characters.`)
  const partner = await withDatabase(session, options, (db, place) => {
    noticeWriting(session, place)
    return db.write((tx) => createPartner(tx, runtime, given))
  })
  await (await session.printer()).one(partner)
}
