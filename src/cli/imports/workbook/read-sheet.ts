import { read, type WorkBook } from '@e965/xlsx/dist/xlsx.mini.min'
import { usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { didYouMean } from '../../base/did-you-mean.ts'
import { visible } from '../../base/terminal-text.ts'
import type { Session } from '../../command.ts'
import { cellText } from './cell-text.ts'
import { checkWorkbookZip } from './checked-zip.ts'
import type { SheetRecord, SpoiledCell } from './sheet-record.ts'

type Sheet = { name: string; isHidden: boolean }

/**
 * The rows of a workbook's first sheet that is seen, or of the one that --sheet names, as they are shown there; empty rows are left
 * out. Throws `invalid` where it cannot be read, `usage` where there is no such sheet.
 */
export async function readSheet(
  session: Pick<Session, 'notice'>,
  name: string,
  bytes: Buffer,
  wanted: string | undefined,
): Promise<SheetRecord[]> {
  await checkWorkbookZip(name, bytes)
  const sheets = sheetsOf(read(bytes, { type: 'buffer', sheets: [] }))
  const sheet = wanted === undefined ? firstSeen(sheets) : sheetNamed(sheets, wanted)
  if (sheets.length > 1) session.notice(saidOf(sheet, sheets, wanted === undefined))
  const how = { dense: true, cellNF: true, cellStyles: true, sheetStubs: true } as const
  const workbook = read(bytes, { ...how, type: 'buffer', sheets: [sheet.name] })
  const hidden = (workbook.Sheets[sheet.name]?.['!rows'] ?? []).filter((row) => row?.hidden).length
  if (hidden > 0) session.notice(`${counted(hidden, 'hidden row is', 'hidden rows are')} read too.`)
  return recordsOf(workbook, sheet)
}

function sheetsOf({ SheetNames, Workbook }: WorkBook): Sheet[] {
  return SheetNames.map((name, at) => ({ name, isHidden: (Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0 }))
}

function firstSeen(sheets: readonly Sheet[]): Sheet {
  const [first] = [...sheets.filter(({ isHidden }) => !isHidden), ...sheets]
  if (first === undefined) throw usage('The workbook has no sheet.')
  return first
}

/** By its name, else by its number as they stand in the workbook. */
function sheetNamed(sheets: readonly Sheet[], wanted: string): Sheet {
  const key = wanted.trim().toLowerCase()
  const found = sheets.find(({ name }) => name.toLowerCase() === key) ?? sheets[Number(key) - 1]
  if (found !== undefined) return found
  const names = sheets.map(({ name }) => name)
  throw usage(
    `--sheet: there is no sheet "${wanted}".`,
    didYouMean(wanted, names, `The sheets are ${names.join(', ')}.`),
  )
}

function saidOf({ name }: Sheet, sheets: readonly Sheet[], isFirst: boolean): string {
  const said = `Read the sheet ${visible(name)}`
  return isFirst ? `${said}, the first of ${sheets.length}; --sheet names another.` : `${said}.`
}

function recordsOf({ Sheets, Workbook }: WorkBook, { name }: Sheet): SheetRecord[] {
  const rows = Sheets[name]?.['!data'] ?? []
  const isFrom1904 = Workbook?.WBProps?.date1904 === true
  const records: Array<SheetRecord & { values: string[] }> = []
  for (const [index, cells] of rows.entries()) {
    const values: string[] = []
    const spoiled: SpoiledCell[] = []
    for (const [at, cell] of (cells ?? []).entries()) {
      const { text, why, spoils, ...held } = cell ? cellText(cell, isFrom1904) : { text: '' }
      values.push(text)
      if (why !== undefined && spoils !== undefined) spoiled.push({ at, why, spoils, ...held })
    }
    while (values.at(-1) === '' && !spoiled.some(({ at }) => at >= values.length - 1)) values.pop()
    if (values.length > 0)
      records.push({ values, line: index + 1, start: 0, end: 0, ...(spoiled.length > 0 && { spoiled }) })
  }
  const width = records.reduce((most, { values }) => Math.max(most, values.length), 0)
  for (const { values } of records) while (values.length < width) values.push('')
  return records
}
