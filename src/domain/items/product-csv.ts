import { dimensionUnits, weightUnits } from '../../contract/enums.ts'
import { nameMax, refMax, uriMax } from '../../contract/limits.ts'
import type { Product } from '../../contract/resources/product.ts'
import { isWebUri, webUriWords } from '../../contract/uri.ts'
import { checkCode, optionalText, requiredMeasure, requiredText, requiredWord } from '../csv/csv-cells.ts'
import { type CsvColumns, quoted } from '../csv/csv-header.ts'
import { addFault, type RowCheck, type RowChecker, rowChecker } from '../csv/csv-row.ts'
import type { FieldErrors } from '../rejection.ts'

/** The fields of 2.4 that are sent, all present. */
export type ProductRow = Omit<Product, 'product_id' | 'created_at' | 'updated_at'>

const names = [
  'name',
  'sku',
  'upc',
  'length',
  'width',
  'height',
  'dimension_unit',
  'weight',
  'weight_unit',
  'image_url',
] as const
type Row = RowCheck<(typeof names)[number]>

export const productColumns: CsvColumns = {
  known: names,
  required: names.filter((name) => name !== 'upc' && name !== 'image_url'),
}

/** Rules that need no database (4.2, decisions 5). Keeps every accepted SKU, so use one checker per chunk of a long file. */
export function productChecker(header: readonly string[]): RowChecker<ProductRow> {
  const rowOfSku = new Map<string, number>()
  return rowChecker(header, (row) => readProduct(row, rowOfSku))
}

/** Values are the catalog's (decisions 13). */
export function productDifferences(row: ProductRow, product: ProductRow): FieldErrors {
  const fields: FieldErrors = {}
  const [ours, theirs] = [columnsOf(row), columnsOf(product)]
  for (const [name, before] of Object.entries(theirs)) {
    const known = before === null ? 'empty' : quoted(String(before))
    if (ours[name] !== before)
      fields[name] = [`is ${known} in the catalog, where it cannot be changed: use that, or another SKU`]
  }
  return fields
}

function columnsOf({ name, upc, image_url, dimensions, weight }: ProductRow): Record<string, unknown> {
  const { unit: dimension_unit, ...sizes } = dimensions
  const { value, unit: weight_unit } = weight
  return { name: name.normalize(), upc, image_url, ...sizes, dimension_unit, weight: value, weight_unit }
}

function readProduct(row: Row, rowOfSku: Map<string, number>): ProductRow {
  const product = {
    name: requiredText(row, 'name', nameMax),
    sku: requiredText(row, 'sku', refMax),
    upc: optionalText(row, 'upc', refMax),
    image_url: optionalText(row, 'image_url', uriMax),
    dimensions: {
      height: requiredMeasure(row, 'height'),
      length: requiredMeasure(row, 'length'),
      width: requiredMeasure(row, 'width'),
      unit: requiredWord(row, 'dimension_unit', dimensionUnits),
    },
    weight: {
      value: requiredMeasure(row, 'weight'),
      unit: requiredWord(row, 'weight_unit', weightUnits),
    },
  }
  checkCode(row, 'sku', product.sku)
  checkCode(row, 'upc', product.upc)
  checkImageUrl(row, product.image_url)
  checkRepeat(row, product.sku, rowOfSku)
  return product
}

function checkImageUrl(row: RowCheck, url: string | null): void {
  if (url !== null && !isWebUri(url)) addFault(row, 'image_url', `${quoted(url)} is not ${webUriWords}`)
}

/** A row that fails for another reason creates no product, so a later row may have its SKU. */
function checkRepeat(row: RowCheck, sku: string, rowOfSku: Map<string, number>): void {
  const earlier = rowOfSku.get(sku)
  if (earlier !== undefined)
    addFault(row, 'sku', `${quoted(sku)} is already in row ${earlier}`, 'state_conflict')
  else if (row.fields === null) rowOfSku.set(sku, row.row)
}
