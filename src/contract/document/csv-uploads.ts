import { csvFileBytesMax, csvRowsMax } from '../limits.ts'
import type { Operation } from '../operation.ts'
import type { OperationId } from '../operations.ts'
import { own } from '../own.ts'
import { type Schema, schemaOf } from './schemas.ts'

/** The schema of a file's rows. */
const rows: Partial<Record<OperationId, string>> = {
  submitManifestCsv: 'ManifestCsvRow',
  importProductsCsv: 'ProductCsvRow',
  importFulfillmentsCsv: 'FulfillmentCsvRow',
}

const formFields: Record<string, string> = {
  reference: 'Your reference for the purchase, such as an order number or the id of a buy sheet.',
  source: 'Where you bought it.',
}

/** The forms in which files are sent, by the names that they have in the document. */
export function uploadSchemas(table: ReadonlyArray<readonly [string, Operation]>): Record<string, Schema> {
  const named: Record<string, Schema> = {}
  for (const [id, operation] of table)
    if (operation.form) named[uploadName(id)] = uploadSchema(id as OperationId, operation)
  return named
}

/** As in `ManifestCsvUpload`. */
export function uploadName(id: string): string {
  return String(rows[id as OperationId]).replace('Row', 'Upload')
}

function uploadSchema(id: OperationId, operation: Operation): Schema {
  const form = operation.form ? schemaOf(operation.form(), 'input') : {}
  const { properties = {}, required = [], ...rest } = form as Form
  const described = Object.entries(properties).map(([name, schema]) => [
    name,
    {
      description: own(formFields, name),
      examples: [name === 'source' ? 'card_show' : 'PO-1043'],
      ...schema,
    },
  ])
  return {
    description: 'A CSV file and its fields.',
    ...rest,
    properties: { file: fileOf(String(rows[id])), ...Object.fromEntries(described) },
    required: ['file', ...required],
  }
}

type Form = { properties?: Record<string, Schema>; required?: string[] }

function fileOf(row: string): Schema {
  return {
    type: 'string',
    format: 'binary',
    contentMediaType: 'text/csv',
    maxLength: csvFileBytesMax,
    contentSchema: { type: 'array', maxItems: csvRowsMax, items: { $ref: `#/components/schemas/${row}` } },
    description: `The file, with or without a filename: UTF-8, comma-separated, at most ${csvFileBytesMax / 1024 / 1024} MiB and ${csvRowsMax.toLocaleString('en')} rows. Its first line names its columns, in any order: those of \`${row}\`, none other. A text in it is as long as the JSON field of its name may be, in code points.`,
  }
}
