import { fulfillmentsFile } from '../../imports/import-kind.ts'
import { importCommand } from '../../imports/import-run.ts'

export const command = importCommand(fulfillmentsFile, {
  summary: 'Order fulfillments from a CSV file',
  details:
    "Columns: qid, or sku and quantity; recipient_name, street, street_2, city, state, zip, country (two letters); external_ref, special_instructions, deliver_by.\n\ncustody checks the file first and writes failed rows to FILE.errors.csv: correct and import that file. Running the command again is safe, from any machine: the service skips orders that it already has (already_ordered), by their external_ref and item. Without an external_ref it cannot tell a repeat from an equal order: custody asks, or fails the row. A shop's export becomes one order, and one parcel, for each order number.",
  examples: [
    'fulfillments import orders.csv --dry-run',
    'fulfillments import orders.csv',
    'fulfillments import orders_export.csv --ship-status pending',
    'fulfillments import - < orders.csv',
  ],
})
