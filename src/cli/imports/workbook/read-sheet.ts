import { type CellObject, type Range, read, type WorkBook } from '@e965/xlsx/dist/xlsx.mini.min'
import { askChoice } from '../../ask/ask.ts'
import { canAsk } from '../../ask/confirm.ts'
import { CliError, usage } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import { didYouMean } from '../../base/did-you-mean.ts'
import { visible } from '../../base/terminal-text.ts'
import type { Session } from '../../command.ts'
import { cellText } from './cell-text.ts'
import { checkWorkbookZip } from './checked-zip.ts'
import type { SheetRecord, SpoiledCell } from './sheet-record.ts'

type Sheet = { name: string; isHidden: boolean }

/**
 * The rows of a workbook's first sheet that is seen, or of the one that --sheet names, as they are shown there; empty rows, and
 * empty cells at the end of a row, are left out. Throws `invalid` where it cannot be read or does not show all of its rows and
 * nobody says what becomes of them, `usage` where there is no such sheet.
 */
export async function readSheet(
  session: Session,
  name: string,
  bytes: Buffer,
  { sheet: wanted, hidden }: { sheet: string | undefined; hidden: 'include' | 'skip' | undefined },
): Promise<SheetRecord[]> {
  await checkWorkbookZip(name, bytes)
  const sheets = sheetsOf(read(bytes, { type: 'buffer', sheets: [] }))
  const sheet = wanted === undefined ? firstSeen(sheets) : sheetNamed(sheets, wanted)
  if (sheets.length > 1) session.notice(saidOf(sheet, sheets, wanted === undefined))
  const how = { dense: true, cellNF: true, cellStyles: true, sheetStubs: true } as const
  const workbook = read(bytes, { ...how, type: 'buffer', sheets: [sheet.name] })
  const records = recordsOf(workbook, sheet)
  const unseen = workbook.Sheets[sheet.name]?.['!rows'] ?? []
  const shown = records.filter(({ line }) => !unseen[line - 1]?.hidden)
  const count = records.length - shown.length
  if (count === 0) return records
  const included = (hidden ?? (await askHidden(session, name, count))) === 'include'
  session.notice(
    `${counted(count, 'hidden row is', 'hidden rows are')} ${included ? 'read too' : 'not read'}.`,
  )
  return included ? records : shown
}

/** A filter hides rows that somebody may have meant to leave out, or only not to see. */
async function askHidden(session: Session, name: string, count: number): Promise<'include' | 'skip'> {
  const message = `${name} hides ${counted(count, 'row')}, by a filter or by hand`
  const [flag, read] = ['--hidden', 'What about them?']
  if (canAsk(session))
    return askChoice(
      session,
      { flag, message: `${message}. ${read}` },
      { skip: 'leave them out', include: 'read them too' },
    )
  throw new CliError('invalid', `${message}.`, {
    hint: 'Say what becomes of them: --hidden skip or --hidden include.',
  })
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
  const reachDown = merges(rows, Sheets[name]?.['!merges'] ?? [])
  const records: SheetRecord[] = []
  for (const [index, cells] of rows.entries()) {
    const values: string[] = []
    const spoiled: SpoiledCell[] = []
    for (const [at, cell] of (cells ?? []).entries()) {
      const read = cell ? cellText(cell, isFrom1904) : { text: '' }
      values.push(read.text)
      if (read.spoiled !== undefined) spoiled.push({ at, ...read.spoiled })
    }
    while (values.at(-1)?.trim() === '' && !spoiled.some(({ at }) => at >= values.length - 1)) values.pop()
    if (values.length === 0) continue
    for (const { s, e } of reachDown(index))
      for (let at = s.c; at <= e.c; at++) spoiled.push({ at, ...mergedCell })
    records.push({ values, line: index + 1, start: 0, end: 0, ...(spoiled.length > 0 && { spoiled }) })
  }
  return records
}

const mergedCell = {
  why: 'is merged with the cell above it',
  advice: 'take the merge apart and fill in every row',
  spoils: 'everything',
} as const

/** Answers for each row, asked in order, the merged cells that reach down to it: only their first row has their value. */
function merges(rows: CellObject[][], ranges: readonly Range[]): (row: number) => Range[] {
  const textOf = ({ s }: Range) => String(rows[s.r]?.[s.c]?.v ?? '').trim()
  const coming = ranges
    .filter((range) => range.e.r > range.s.r && textOf(range) !== '')
    .sort((a, b) => b.s.r - a.s.r || b.s.c - a.s.c)
  let open: Range[] = []
  return (row) => {
    while ((coming.at(-1)?.s.r ?? row) < row) open.push(coming.pop() as Range)
    open = open.filter(({ e }) => e.r >= row)
    return open
  }
}
