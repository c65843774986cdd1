import { productsFile } from '../../imports/import-kind.ts'
import { importCommand } from '../../imports/import-run.ts'

export const command = importCommand(productsFile, {
  summary: 'Create catalog products from a CSV file',
  details:
    'Columns: name, sku, upc, length, width, height, dimension_unit (in, cm), weight, weight_unit (oz, g), image_url.\n\ncustody checks the file first and writes failed rows to FILE.errors.csv: correct and import that file. Rows that the catalog already has are unchanged; a row that differs from its product fails. Running the command again is safe, from any machine.',
  examples: [
    'products import catalog.csv --dry-run',
    'products import catalog.csv',
    'products import theirs.csv --map "Item No=sku" --ignore-columns "price,stock"',
  ],
})
