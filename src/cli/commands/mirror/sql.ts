import type { LoneCommand } from '../../command.ts'
import { mirrorDefault, mirrorRows } from '../../database/mirror.ts'
import { columnsOf } from '../../output/columns.ts'

type Options = { mirror: string }

export const command: LoneCommand<[string, Options]> = {
  details:
    'Runs one query of SQLite on the file that custody sync keeps, read-only. docs/mirror.md lists the tables; events have ' +
    "their JSON in event, as in event ->> '$.data.qid'.",
  examples: [
    "sql 'select status, count(*) as items from items group by status'",
    'sql "select qid, grader, cert_number from items where intake_at < \'2026-06-01\'" --output csv',
    'sql --mirror /srv/custody.db "select * from fulfillments where status = \'exception\'" --json',
  ],
  define: (sql) =>
    sql
      .argument('<query>', 'One select')
      .option('--mirror <file>', 'File that custody sync keeps', mirrorDefault),
  isOffline: true,
  view: () => undefined,
  async run(session, query, { mirror }) {
    const { columns, rows, close } = mirrorRows(session.io, mirror, query)
    try {
      const printer = await session.printer({ columns: columnsOf(...columns.map(columnOf)) })
      const list = printer.list()
      for (const row of rows) await list.push([row])
      await list.end()
    } finally {
      close()
    }
  },
}

/** A name is one key, even with a dot in it. */
function columnOf(name: string) {
  return { name, title: name, kind: 'text' as const, of: (row: Record<string, unknown>) => row[name] }
}
