import { productsFile } from '../../imports/import-kind.ts'
import { importCommand } from '../../imports/import-run.ts'

export const command = importCommand(productsFile, {
  summary: 'create catalog products from a CSV file',
  details:
    'Columns: name, sku, upc, length, width, height, dimension_unit (in, cm), weight, weight_unit (oz, g), image_url.\n\nThe file is checked first. Rows that the catalog has already are unchanged; a row that differs from its product there fails. Failed rows are written to FILE.errors.csv: correct and import that file. The same file again adds nothing twice: on this machine for 400 days, from another for the 7 days that the service keeps results.',
  examples: [
    'products import catalog.csv --dry-run',
    'products import catalog.csv',
    'products import theirs.csv --map "Item No=sku" --ignore-columns "price,stock"',
    'products import catalog.csv --resume',
  ],
})
