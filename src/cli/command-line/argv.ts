import { type Command, Option } from 'commander'
import { maxWaitMinutesDefault } from '../../contract/limits.ts'
import { own } from '../../contract/own.ts'
import { rejectedKey } from '../base/rejected-secrets.ts'
import type { Load, LoneCommand, Noun, Nouns } from '../command.ts'
import { formats } from '../output/format.ts'

const commonValued = /^(-o|--output|--columns|--profile|--base-url|--database|--max-wait|--api-key)$/

/** Commander knows a command's options only after its name. */
export function orderArguments(args: readonly string[]): readonly string[] {
  const first = firstWord(args)
  if (first <= 0 || first >= args.length) return args
  const leading = args.slice(0, first)
  return leading.every((word) => /^(-h|--help|-V|--version)$/.test(word))
    ? args
    : [...args.slice(first), ...leading]
}

/** Follows the leading words to a command, or to a group and the `names` in it. */
export function namedBy(args: readonly string[], nouns: Nouns) {
  const words: string[] = []
  let names: Readonly<Record<string, Noun | Load>> = nouns
  for (const word of args) {
    const known = own(names, word)
    if (known === undefined) break
    words.push(word)
    if (typeof known === 'function') return { words, names, load: known }
    if ('load' in known) return { words, names, load: known.load }
    names = known.verbs
  }
  return { words, names }
}

function firstWord(args: readonly string[]): number {
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (!word.startsWith('-') || word === '-') return index
    if (commonValued.test(word)) index++
  }
  return args.length
}

export function addCommonOptions(leaf: Command, file: LoneCommand<never[]>): void {
  if (!file.isPlain) addOutputOptions(leaf)
  if (!file.isOffline) addTargetOptions(leaf)
  leaf.optionsGroup('Other options:')
  leaf.option('--no-color', 'Disable colour')
  leaf.option('-q, --quiet', 'Print only results, warnings, and errors')
  const noInput = new Option('--no-input', 'Never ask; fail if an answer is needed')
  // Negated, it would be the opposite of the --input of `custody api`.
  leaf.addOption(Object.assign(noInput, { negate: false }))
  leaf.option('--debug', 'Show requests and answers on stderr, secrets hidden')
  leaf.helpOption('-h, --help', 'Show help')
}

function addOutputOptions(leaf: Command): void {
  leaf.optionsGroup('Output:')
  const format = 'table in a terminal, tsv in a pipe'
  leaf.addOption(new Option('-o, --output <format>', `Output format (default: ${format})`).choices(formats))
  leaf.option('--json', 'Same as --output json')
  leaf.option('--jq <program>', 'Filter JSON output with a jq program')
  leaf.option('--columns <names>', 'Only these columns, separated by commas')
  leaf.option('--no-header', 'Leave out the column names')
  leaf.option('--no-pager', 'Do not use a pager')
  leaf.option('--excel', 'Write CSV the way Excel opens it')
  leaf.option('--raw', 'Write CSV without guards against formulas')
}

function addTargetOptions(leaf: Command): void {
  leaf.optionsGroup('Target:')
  leaf.option('--profile <name>', 'Use this profile (see: custody profiles ls)')
  leaf.option('--base-url <url>', 'Use the service at this address')
  leaf.option('--database <file>', 'Use this database file (default: your sandbox)')
  leaf.option('--no-seed', 'Create a new database without sample data')
  leaf.option(
    '--max-wait <duration>',
    `Give up on a request after this long, including retries (default: ${maxWaitMinutesDefault}m)`,
  )
  leaf.addOption(rejectedKey())
}
