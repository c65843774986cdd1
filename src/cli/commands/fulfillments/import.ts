import { fulfillmentsFile } from '../../imports/import-kind.ts'
import { importCommand } from '../../imports/import-run.ts'

export const command = importCommand(fulfillmentsFile, {
  summary: 'order shipments from a CSV file, one for each row',
  details:
    'Columns: qid, or sku and quantity; recipient_name, street, street_2, city, state, zip, country (two letters); external_ref, special_instructions, deliver_by.\n\nThe file is checked first, and each row is compared with what was ordered before: by external_ref on the target, without one by its content in imports of this machine. The same again is already ordered and not sent; a changed row fails and names the earlier order; --again orders anew on purpose. Failed rows are written to FILE.errors.csv: correct and import that file. The same file again orders nothing twice: on this machine for 400 days, from another for the 7 days that the service keeps results.',
  examples: [
    'fulfillments import orders.csv --dry-run',
    'fulfillments import orders.csv',
    'fulfillments import - < orders.csv',
  ],
})
