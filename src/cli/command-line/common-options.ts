import { type Command, Option } from 'commander'
import { rejectedKey } from '../base/rejected-secrets.ts'
import type { CommandFile } from '../command.ts'
import { formats } from '../output/format.ts'

export function addCommonOptions(leaf: Command, file: CommandFile<never[]>): void {
  if (!file.isPlain) addOutputOptions(leaf)
  if (!file.isOffline) addTargetOptions(leaf)
  leaf.optionsGroup('Other options:')
  leaf.option('--no-color', 'Disable colour')
  leaf.option('-q, --quiet', 'Print only results, warnings, and errors')
  leaf.option('--no-input', 'Never ask; fail if an answer is needed')
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
    'Give up on a request after this long, including retries (default: 2m)',
  )
  leaf.addOption(rejectedKey())
}
