import { CliError } from '../../base/cli-error.ts'
import type { CommandFile, Session } from '../../command.ts'
import { type Preset, presetNamed, type Rule, type Skip } from '../../imports/formats/presets.ts'
import { columnsOf, type View } from '../../output/columns.ts'

export const command: CommandFile<[string]> = {
  summary: 'Show how custody reads an export',
  examples: ['presets show psa-collection', 'presets show shopify-orders --json'],
  define: (show) => show.argument('<preset>', 'Name of the preset (see: custody presets ls)'),
  isOffline: true,
  view: () => view,
  run,
}

const view: View = {
  columns: columnsOf<Preset>(
    { name: 'name', kind: 'id' },
    { name: 'title' },
    { name: 'kind', title: 'for' },
    { name: 'header', title: 'recognised by', of: ({ header }: Preset) => header.map(either).join(', ') },
    {
      name: 'not_taken',
      title: 'skipped rows',
      of: ({ skip = [] }: Preset) => skip.map(skipText).join('; '),
    },
    { name: 'refused' },
  ),
  parts: [
    {
      name: 'rules',
      title: 'columns',
      isMain: true,
      columns: columnsOf<ReturnType<typeof rulesOf>[number]>({ name: 'ours' }, { name: 'theirs' }),
    },
  ],
}

async function run(session: Session, name: string): Promise<void> {
  const preset = presetNamed(name)
  if (preset === undefined)
    throw new CliError('not_found', `There is no preset "${name}".`, { hint: 'See: custody presets ls' })
  await (await session.printer()).one({ ...preset, rules: rulesOf(preset) })
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
