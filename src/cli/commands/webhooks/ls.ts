import type { CommandFile, Session } from '../../command.ts'
import { defineList, type ListOptions, listColumns, runList } from '../../list/list-command.ts'
import { byId, subscriptionList } from '../../views/webhooks.ts'

export const command: CommandFile<[ListOptions]> = {
  summary: 'list the webhooks, newest first',
  examples: ['webhooks ls', 'webhooks ls --json'],
  define: (ls) => defineList(ls, 'listSubscriptions'),
  columns: () => listColumns('listSubscriptions', subscriptionList),
  run,
}

async function run(session: Session, options: ListOptions): Promise<void> {
  await runList(session, 'listSubscriptions', subscriptionList, byId, options)
}
