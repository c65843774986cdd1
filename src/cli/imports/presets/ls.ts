import type { CommandFile, Session } from '../../command.ts'
import { presets } from '../formats/presets/presets.ts'

export const command: CommandFile<[]> = {
  summary: 'list the exports of other sites that imports read',
  details: 'An import recognises them by their header; --from names one.',
  examples: ['presets ls', 'presets ls --output csv'],
  isOffline: true,
  run,
}

async function run(session: Session): Promise<void> {
  const columns = [{ name: 'name', kind: 'id' }, { name: 'title' }, { name: 'kind', title: 'for' }] as const
  const writer = (await session.printer()).list({ columns })
  await writer.push(presets)
  await writer.end()
}
