import { text } from 'node:stream/consumers'
import { crc32, deflateRawSync } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'

/** `claimed`: the unpacked size of a file according to the archive. `isStreamed`: sizes follow each file, in 64 bits. */
type ZipOptions = { claimed?: number; isStreamed?: boolean }

const sizesFollow = Buffer.from(`\u0001\0\u0010${'\0'.repeat(17)}`)

/** A zip archive by hand: each file deflated, then the directory. */
export function zipOf(
  files: Readonly<Record<string, string | Buffer>>,
  { claimed, isStreamed = false }: ZipOptions = {},
): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(claimed ?? bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    const own = Buffer.from(fields)
    const sizes = Buffer.alloc(isStreamed ? 24 : 0)
    if (isStreamed) {
      fields.writeUInt16LE(8, 2)
      fields.copy(own)
      own.fill(0, 10, 14).fill(255, 14, 22).writeUInt16LE(sizesFollow.length, 24)
      Buffer.from('PK\u0007\u0008').copy(sizes)
      fields.copy(sizes, 4, 10, 14)
      sizes.writeBigUInt64LE(BigInt(packed.length), 8)
      sizes.writeBigUInt64LE(BigInt(bytes.length), 16)
    }
    const head = [own, Buffer.from(name), isStreamed ? sizesFollow : Buffer.alloc(0)]
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), ...head, packed, sizes])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(at, 10)
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), fields, place, Buffer.from(name)]),
    )
    parts.push(local)
    at += local.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\u0005\u0006'), end])
}

const formatCodes = {
  text: '@',
  date: 'm/d/yyyy',
  grouped: '#,##0',
  scientific: '0.00E+00',
  amount: '0.00',
  percent: '0%',
  padded: '0000000000',
  whole: '0',
  unsigned: '0;[Red]0',
}
export type Format = keyof typeof formatCodes
export const formats = Object.keys(formatCodes) as Format[]

/** A text, a number, a number with a format, a formula without a saved result, or an error. */
export type Cell =
  | string
  | number
  | { value: number; format: Format }
  | { formula: string }
  | { error: string }

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org'

/** A workbook of one sheet, as the least that a spreadsheet opens. `merged`: ranges of merged cells, as B4:B6. `flat`: rows of no height. */
export function workbookOf(
  rows: readonly (readonly Cell[])[],
  merged: readonly string[] = [],
  flat: readonly number[] = [],
): Buffer {
  const heightOf = (row: number): string => (flat.includes(row) ? ' ht="0" customHeight="1"' : '')
  const sheet = rows.map(
    (cells, row) =>
      `<row r="${row + 1}"${heightOf(row + 1)}>${cells.map((cell, at) => cellXml(cell, row, at)).join('')}</row>`,
  )
  const merges =
    merged.length > 0
      ? `<mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`
      : ''
  const custom = Object.values(formatCodes).map(
    (code, id) => `<numFmt numFmtId="${200 + id}" formatCode="${code}"/>`,
  )
  const used = formats.map((_, id) => `<xf numFmtId="${200 + id}" applyNumberFormat="1"/>`)
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${relations}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/></Types>`,
    '_rels/.rels': relationsXml(['officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationsXml(
      ['worksheet', 'worksheets/sheet1.xml'],
      ['styles', 'styles.xml'],
    ),
    'xl/styles.xml': `<styleSheet xmlns="${main}"><numFmts>${custom.join('')}</numFmts><cellXfs><xf numFmtId="0"/>${used.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet.join('')}</sheetData>${merges}</worksheet>`,
  })
}

function relationsXml(...targets: ReadonlyArray<readonly [type: string, target: string]>): string {
  const each = targets.map(
    ([type, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${relations}/officeDocument/2006/relationships/${type}" Target="${target}"/>`,
  )
  return `<Relationships xmlns="${relations}/package/2006/relationships">${each.join('')}</Relationships>`
}

function cellXml(cell: Cell, row: number, at: number): string {
  const place = `r="${String.fromCharCode(65 + at)}${row + 1}"`
  if (typeof cell === 'number') return `<c ${place}><v>${cell}</v></c>`
  if (typeof cell === 'string')
    return `<c ${place} t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  if ('error' in cell) return `<c ${place} t="e"><v>${cell.error}</v></c>`
  if ('formula' in cell) return `<c ${place}><f>${cell.formula}</f></c>`
  return `<c ${place} s="${formats.indexOf(cell.format) + 1}"><v>${cell.value}</v></c>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** Unpacks a workbook into its parts, by name. */
export async function partsOf(workbook: Buffer): Promise<Record<string, string>> {
  const parts: Record<string, string> = {}
  const zip = await fromBufferPromise(workbook)
  for await (const entry of zip.eachEntry())
    parts[entry.fileName] = await text(await zip.openReadStreamPromise(entry))
  return parts
}
