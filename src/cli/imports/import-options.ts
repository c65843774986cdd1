import { type Command, Option } from 'commander'
import { collect } from '../command-line/collect.ts'
import { type IdempotentOptions, idempotent } from '../connection/idempotency.ts'
import type { FormatOptions } from './formats/format-options.ts'

export type ImportOptions = IdempotentOptions &
  FormatOptions & {
    dryRun?: boolean
    errors?: string
    again?: boolean
    /** False for --no-lint. */
    lint?: boolean
  }

/** The flags of every command that takes a CSV file. */
export function defineImport(command: Command): Command {
  command.option('--dry-run', 'check the file here and send nothing')
  formOptions(command)
    .option('--from <preset>', 'the site that exported the file (default: auto, see: custody presets ls)')
    .option(
      '--set <column=value>',
      'what a column holds where the file has nothing; may be repeated',
      collect,
    )
    .option('--errors <file>', 'where failed rows are written (default: FILE.errors.csv)')
    .addOption(new Option('--again', 'send anew on purpose what was sent before').conflicts('resume'))
  return idempotent(command)
}

/** The flags that say how a file is to be read. */
export function formOptions(command: Command): Command {
  return command
    .option(
      '--map <theirs=ours>',
      'the file calls a column something else; may be repeated; @NAME: as --save-map kept it',
      collect,
    )
    .option('--save-map <name>', 'keep the flags that this form of file needs, for --map @NAME')
    .option('--ignore-columns <names>', 'columns not to send, separated by commas')
    .option('--delimiter <name>', 'what separates the columns: comma, semicolon or tab (default: as found)')
    .option('--encoding <name>', 'as in utf-8, utf-16le, windows-1252, shift_jis (default: as found)')
    .option('--sheet <name>', 'of a workbook (.xlsx): its name or number (default: the first)')
    .option('--no-lint', 'send also what a spreadsheet seems to have damaged')
}

/** What decides, beside the file's bytes, which rows are sent. */
export function optionsFingerprint({ map = [], ignoreColumns = '', lint }: ImportOptions): string {
  return JSON.stringify([[...map].sort(), ignoreColumns, lint !== false])
}
