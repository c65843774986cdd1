import { type Command, Option } from 'commander'
import { collect } from '../command-line/body-flags.ts'
import { type IdempotentOptions, idempotent } from '../connection/idempotency.ts'
import type { FormatOptions } from '../files/format-flags.ts'

export type ImportOptions = IdempotentOptions &
  FormatOptions & {
    dryRun?: boolean
    errors?: string
    again?: boolean
    lint?: boolean
    ifEqual?: 'skip' | 'fail' | 'order'
    combine?: boolean
    shipBy?: 'order' | 'row'
    offline?: boolean
  }

export function defineImport(command: Command): Command {
  command.option('--dry-run', 'Check the file and send nothing')
  formOptions(command)
    .option('--from <preset>', 'Site that exported the file (default: auto; see: custody presets ls)')
    .option('--set <column=value>', 'Value for the empty cells of a column; repeatable', collect)
    .option('--errors <file>', 'File for the failed rows (default: FILE.errors.csv)')
    .addOption(new Option('--again', 'Send everything again, even if it was sent before').conflicts('resume'))
  return idempotent(command)
}

export function defineOrders(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--ship-by <unit>',
        "One parcel for each order or each row (default: order for a shop's export, otherwise row)",
      ).choices(['order', 'row']),
    )
    .option('--ship-status <status>', 'Also ship orders with this status; repeatable', collect)
    .option('--offline', 'With --dry-run: check the file alone, without asking the target')
    .option('--combine', 'Add up rows with one external_ref that differ only in quantity')
    .addOption(
      new Option('--if-equal <action>', 'Rows without external_ref that equal an earlier order').choices([
        'skip',
        'fail',
        'order',
      ]),
    )
}

export function formOptions(
  command: Command,
  noLint = "Skip custody's checks for spreadsheet damage and impossible slabs, but not the service's",
): Command {
  return command
    .option(
      '--map <theirs=ours>',
      'Rename a column, as in --map "Cert No=cert_number"; repeatable; @NAME loads a saved mapping',
      collect,
    )
    .option('--save-map <name>', 'Save the flags for this kind of file, for --map @NAME')
    .option('--ignore-columns <names>', 'Columns not to send, separated by commas')
    .option('--delimiter <name>', 'Column separator: comma, semicolon, or tab (default: detected)')
    .option(
      '--encoding <name>',
      'Encoding, such as utf-8, utf-16le, windows-1252, shift_jis (default: detected)',
    )
    .option('--sheet <name>', 'Sheet of a workbook (.xlsx), by name or number (default: the first)')
    .addOption(new Option('--hidden <action>', 'Hidden rows of a workbook').choices(['include', 'skip']))
    .option('--no-lint', noLint)
}
