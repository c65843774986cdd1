import { type Command, Option } from 'commander'
import { refusedKey } from '../base/refused-secrets.ts'
import type { CommandFile } from '../command.ts'
import { formats } from '../output/format.ts'

/** The options that every command has, below its own. */
export function addCommonOptions(leaf: Command, file: CommandFile<never[]>): void {
  if (!file.isPlain) addOutputOptions(leaf)
  if (!file.isOffline) addTargetOptions(leaf)
  leaf.optionsGroup('Other options:')
  leaf.option('--no-color', 'no colour, also where there is a terminal')
  leaf.option('-q, --quiet', 'Print results, warnings and errors only')
  leaf.option('--no-input', 'Never ask; fail if an answer is needed')
  leaf.option('--debug', 'show requests and replies on stderr, secrets hidden')
  leaf.helpOption('-h, --help', 'this text')
}

function addOutputOptions(leaf: Command): void {
  leaf.optionsGroup('Output:')
  const format = 'table on a terminal, tsv in a pipe'
  leaf.addOption(
    new Option('-o, --output <format>', `form of the output (default: ${format})`).choices(formats),
  )
  leaf.option('--json', 'the same as --output json')
  leaf.option('--jq <program>', 'what this jq program makes of the JSON')
  leaf.option('--columns <names>', 'only these columns, separated by commas')
  leaf.option('--no-header', 'no line of column names')
  leaf.option('--no-pager', 'print what is longer than the screen without a pager')
  leaf.option('--excel', 'CSV as Excel opens it')
  leaf.option('--raw', 'CSV without the marks that keep spreadsheets from running formulas')
}

function addTargetOptions(leaf: Command): void {
  leaf.optionsGroup('Target:')
  leaf.option('--profile <name>', 'the target of this name (see: custody profiles ls)')
  leaf.option('--base-url <url>', 'the service at this address')
  leaf.option('--database <file>', 'the embedded database; made by writing to it (default: your own sandbox)')
  leaf.option('--no-seed', 'make a new database without the sample data')
  leaf.option('--max-wait <span>', 'how long a request may take, tries again included (default: 2m)')
  leaf.addOption(refusedKey())
}
