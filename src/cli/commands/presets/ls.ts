import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Session } from '../../command.ts'
import { configOf } from '../../connection/target-settings.ts'
import { type Preset, presets } from '../../imports/formats/presets.ts'
import { columnsOf } from '../../output/columns.ts'

export const command: CommandFile<[]> = {
  summary: 'List known exports of other sites, and your saved maps',
  details:
    'An import recognises an export by its header; --from names one. --map @NAME loads a map that --save-map saved.',
  examples: ['presets ls', 'presets ls --output csv'],
  isOffline: true,
  view: () => ({
    columns: columnsOf<Pick<Preset, 'name' | 'title' | 'kind'>>(
      { name: 'name', kind: 'id' },
      { name: 'title' },
      { name: 'kind', title: 'for' },
    ),
  }),
  run,
}

async function run(session: Session): Promise<void> {
  await (await session.printer()).all([...presets, ...keptMaps(session)])
}

function keptMaps({ io }: Session): Array<{ name: string; title: string }> {
  return Object.entries(configOf(io.env).maps ?? {}).map(([name, flags]) => {
    const words = Object.entries(flags).flatMap(([flag, values]) =>
      [values].flat().map((value) => `--${flag} ${quoted(value)}`),
    )
    return { name: `@${name}`, title: words.join(' ') }
  })
}
