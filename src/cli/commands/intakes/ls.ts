import type { CommandFile, Session } from '../../command.ts'
import { defineList, type ListOptions, listColumns, runList } from '../../list/list-command.ts'
import { intakeKey, intakeList } from '../../views/items.ts'

export const command: CommandFile<[ListOptions]> = {
  summary: 'list the arrivals, newest first',
  examples: ['intakes ls --intake-after 24h', 'intakes ls --manifest-id PO-1041 --all --output csv'],
  define: (ls) => defineList(ls, 'listIntakes'),
  columns: () => listColumns('listIntakes', intakeList),
  run,
}

async function run(session: Session, options: ListOptions): Promise<void> {
  await runList(session, 'listIntakes', intakeList, intakeKey, options)
}
