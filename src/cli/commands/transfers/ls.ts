import type { CommandFile, Session } from '../../command.ts'
import { defineList, type ListOptions, listColumns, runList } from '../../list/list-command.ts'
import { orderKey, transferList } from '../../views/orders.ts'

export const command: CommandFile<[ListOptions]> = {
  summary: 'list the transfers, newest first',
  examples: ['transfers ls', 'transfers ls --status requested'],
  define: (ls) => defineList(ls, 'listTransfers'),
  columns: () => listColumns('listTransfers', transferList),
  run,
}

async function run(session: Session, options: ListOptions): Promise<void> {
  await runList(session, 'listTransfers', transferList, orderKey, options)
}
