import { createPartner } from '../../../engine/partners.ts'
import { runtime } from '../../../runtime/runtime.ts'
import { listPartners, type PartnerRow } from '../../../store/tables/scopes.ts'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile } from '../../command.ts'
import { type DatabaseOptions, databaseOption, noticeWriting, withDatabase } from '../../database/database.ts'
import { columnsOf, type View } from '../../output/columns.ts'

export const create: CommandFile<[string, DatabaseOptions]> = {
  summary: 'Create a partner account',
  details: 'Then create a key: custody admin keys create NAME --environment sandbox',
  examples: ['admin partners create "Northgate Cards"'],
  define: (create) => databaseOption(create.argument('<name>', 'Partner name, unique')),
  isOffline: true,
  view: () => partner,
  async run(session, name, options) {
    const given = name.trim()
    if (given === '' || given.length > nameMax || /(?!\u200c|\u200d)\p{C}/u.test(given))
      throw usage(`A partner's name must have 1 to ${nameMax} visible characters.`)
    const partner = await withDatabase(session, options, (db, place) => {
      noticeWriting(session, place)
      return db.write((tx) => createPartner(tx, runtime, given))
    })
    await (await session.printer()).one(partner)
  },
}

const partner: View = {
  columns: columnsOf<Awaited<ReturnType<typeof createPartner>>>(
    { name: 'id', kind: 'id' },
    'name',
    'created_at',
  ),
}

const nameMax = 200

export const ls: CommandFile<[DatabaseOptions]> = {
  summary: 'List partners with their environments and valid keys',
  examples: ['admin partners ls'],
  define: databaseOption,
  isOffline: true,
  view: () => partners,
  async run(session, options) {
    const now = new Date(session.io.now()).toISOString()
    const rows = await withDatabase(session, options, (db) => db.read((tx) => listPartners(tx, now)))
    await (await session.printer()).all(rows)
    if (rows.length === 0) session.notice('none found')
  },
}

const partners: View = {
  columns: columnsOf<PartnerRow>(
    'name',
    'environment',
    { name: 'live_keys', kind: 'number' },
    { name: 'id', kind: 'id' },
    'created_at',
  ),
}
