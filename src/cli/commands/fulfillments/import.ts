import type { CommandFile, Outcome, Session } from '../../command.ts'
import type { ChunkedImportOptions } from '../../imports/import-beginning.ts'
import { fulfillmentsFile } from '../../imports/import-kind.ts'
import { defineImport } from '../../imports/import-options.ts'
import { runImport } from '../../imports/import-run.ts'

export const command: CommandFile<[string, ChunkedImportOptions]> = {
  summary: 'order shipments from a CSV file, one for each row',
  details:
    'Columns: qid, or sku and quantity; recipient_name, street, street_2, city, state, zip, country (two letters); external_ref, special_instructions, deliver_by.\n\nThe file is checked first, and each row is compared with what was ordered before: by external_ref on the target, without one by its content in imports of this machine. The same again is already ordered and not sent; a changed row fails and names the earlier order; --again orders anew on purpose. Failed rows are written to FILE.errors.csv: correct and import that file. The same file again orders nothing twice: on this machine for 400 days, from another for the 7 days that the service keeps results.',
  examples: [
    'fulfillments import orders.csv --dry-run',
    'fulfillments import orders.csv',
    'fulfillments import - < orders.csv',
  ],
  define: (command) =>
    defineImport(command.argument('<file>', 'a CSV or Excel (.xlsx) file, or - for stdin')).option(
      '--resume',
      'go on after the last row that was acknowledged',
    ),
  run,
}

async function run(session: Session, file: string, options: ChunkedImportOptions): Promise<Outcome> {
  return runImport(session, fulfillmentsFile, file, options)
}
