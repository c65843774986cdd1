import { CliError, didYouMean } from '../../base/cli-error.ts'
import { quoted } from '../../base/shell-word.ts'
import type { CommandFile, Session } from '../../command.ts'
import { configOf } from '../../connection/target-settings.ts'
import { type Preset, presets, type Rule, type Skip } from '../../files/presets.ts'
import { columnsOf, type View } from '../../output/columns.ts'

export const ls: CommandFile<[]> = {
  summary: 'List known exports of other sites, and your saved maps',
  details:
    'An import recognises an export by its header; --from names one. --map @NAME loads a map that --save-map saved.',
  examples: ['presets ls', 'presets ls --output csv'],
  isOffline: true,
  view: () => ({
    columns: columnsOf<Pick<Preset, 'name' | 'title' | 'kind'>>({ name: 'name', kind: 'id' }, 'title', {
      name: 'kind',
      title: 'for',
    }),
  }),
  async run(session) {
    await (await session.printer()).all([...presets, ...keptMaps(session)])
  },
}

function keptMaps({ io }: Session): Array<{ name: string; title: string }> {
  return Object.entries(configOf(io.env).maps ?? {}).map(([name, flags]) => {
    const words = Object.entries(flags).flatMap(([flag, values]) =>
      [values].flat().map((value) => `--${flag} ${quoted(value)}`),
    )
    return { name: `@${name}`, title: words.join(' ') }
  })
}

export const show: CommandFile<[string]> = {
  summary: 'Show how custody reads an export, or a saved map',
  examples: ['presets show psa-collection', 'presets show shopify-orders --json'],
  define: (show) => show.argument('<preset>', 'Name of the preset (see: custody presets ls)'),
  isOffline: true,
  view: () => view,
  async run(session, given) {
    const known = [...presets.map((each) => ({ ...each, rules: rulesOf(each) })), ...keptMaps(session)]
    const shown = known.find(({ name }) => name === given || name === `@${given}`)
    if (shown === undefined) {
      const names = known.map(({ name }) => name)
      const hint = didYouMean(given, names, 'See: custody presets ls')
      throw new CliError('not_found', `There is no preset "${given}".`, { hint })
    }
    await (await session.printer()).one(shown)
  },
}

const view: View = {
  columns: columnsOf<Preset>(
    { name: 'name', kind: 'id' },
    'title',
    { name: 'kind', title: 'for' },
    {
      name: 'header',
      title: 'recognised by',
      of: ({ header = [] }: Partial<Preset>) => header.map(either).join(', '),
    },
    {
      name: 'not_taken',
      title: 'skipped rows',
      of: ({ skip = [] }: Preset) => skip.map(skipText).join('; '),
    },
    { name: 'added', title: 'to be added', of: ({ added }: Preset) => added?.how },
  ),
  parts: [
    {
      name: 'rules',
      title: 'columns',
      isMain: true,
      columns: columnsOf<ReturnType<typeof rulesOf>[number]>('ours', 'theirs'),
    },
  ],
}

function rulesOf({ columns }: Preset) {
  return Object.entries(columns).map(([ours, rule]) => ({ ours, theirs: ruleText(rule) }))
}

function ruleText(rule: Rule): string {
  if (typeof rule === 'string') return rule
  if ('join' in rule)
    return `${[...rule.join, ...(rule.after ?? [])].join(' + ')}${rule.otherwise === undefined ? '' : `, else ${rule.otherwise}`}`
  if ('certificate' in rule) {
    const { from, to, graders } = rule.padded
    return `${rule.certificate}; ${graders.join(', ')} numbers of ${from} to ${to - 1} digits get leading zeros, up to ${to} digits`
  }
  const condition = rule.ifFilled === undefined ? '' : `, if there is a ${rule.ifFilled}`
  if ('constant' in rule) return `"${rule.constant}"${condition}`
  return `${[rule.column].flat().join(', else ')}${rule.as === undefined || rule.as === 'code' ? '' : ` as ${rule.as}`}${condition}`
}

function skipText({ column, why, ...when }: Skip): string {
  const values =
    'is' in when ? when.is.map((word) => `"${word}"`).join(', ') : when.isEmpty ? 'empty' : 'not empty'
  return `${either(column)} is ${values} (${why})`
}

function either(names: string | readonly string[]): string {
  return [names].flat().join(' or ')
}
