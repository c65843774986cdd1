import { listCommand } from '../../list/list-command.ts'
import { manifestList } from '../../views/manifests.ts'

export const command = listCommand(
  { id: 'listManifests', view: manifestList, keys: ['id'] },
  {
    summary: 'List manifests, newest first',
    examples: ['manifests ls', 'manifests ls --status receiving', 'manifests ls --all --json'],
  },
)
