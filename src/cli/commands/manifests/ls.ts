import type { CommandFile, Session } from '../../command.ts'
import { defineList, type ListOptions, listColumns, runList } from '../../list/list-command.ts'
import { manifestKey, manifestList } from '../../views/manifests.ts'

export const command: CommandFile<[ListOptions]> = {
  summary: 'list the manifests, newest first',
  examples: ['manifests ls', 'manifests ls --status receiving', 'manifests ls --all --json'],
  define: (ls) => defineList(ls, 'listManifests'),
  columns: () => listColumns('listManifests', manifestList),
  run,
}

async function run(session: Session, options: ListOptions): Promise<void> {
  await runList(session, 'listManifests', manifestList, manifestKey, options)
}
