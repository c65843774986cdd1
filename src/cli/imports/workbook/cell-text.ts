import { type CellObject, SSF } from '@e965/xlsx/dist/xlsx.mini.min'
import type { SpoiledCell } from './sheet-record.ts'

type Read = { text: string; spoiled?: Omit<SpoiledCell, 'at'> }

/** Beyond it a spreadsheet has lost digits: it keeps fifteen. */
const exactBelow = 1e15

const withoutResult = {
  why: 'holds a formula without its result',
  advice: 'open the file in a spreadsheet and save it',
  spoils: 'everything',
} as const

/** A cell as its sheet shows it; a number with all of its digits, a date as 2026-05-04, whatever the language shows. */
export function cellText(cell: CellObject, isFrom1904: boolean): Read {
  const shown = cell.w ?? ''
  switch (cell.t) {
    case 'n':
      return numberText(cell.v as number, shown, cell.z, isFrom1904)
    case 'd':
      return { text: shown, spoiled: noCode('holds a date') }
    case 'z':
      return cell.f === undefined ? { text: '' } : { text: '', spoiled: withoutResult }
    default:
      return { text: typeof cell.v === 'string' ? cell.v : shown }
  }
}

function numberText(value: number, shown: string, format: unknown, isFrom1904: boolean): Read {
  if (SSF.is_date(String(format ?? '')))
    return { text: dateText(value, isFrom1904) ?? shown, spoiled: noCode('holds a date') }
  const plain = shown.replace(/[\s,']/g, '')
  const isWhole = Number.isInteger(value)
  if (isWhole && Math.abs(value) >= exactBelow)
    return {
      text: shown,
      spoiled: noCode('holds a number of more than 15 digits, which spreadsheets do not keep'),
    }
  // 0001234567 is shown by the column's own format: zeros that somebody has put back.
  if (/^-?\d+(?:\.\d+)?$/.test(plain) && Number(plain) === value) return { text: plain }
  if (isWhole && /^(?:-?\d(?:\.\d+)?E\+\d+|#+)$/i.test(plain)) return { text: String(value) }
  // Without the end that computing leaves, as in 195.57999999999998.
  const held = String(Number(value.toPrecision(15)))
  return { text: shown, spoiled: { ...noCode(`shows "${shown}" and holds ${value}`), held } }
}

function noCode(why: string): Omit<SpoiledCell, 'at'> {
  return { why, advice: 'format the column as text and type it anew', spoils: 'codes' }
}

/** Undefined of a time without a date. */
function dateText(value: number, date1904: boolean): string | undefined {
  const date = value < 1 ? null : SSF.parse_date_code(value, { date1904 })
  if (!date) return undefined
  const { y, m, d, H, M, S } = date
  const day = `${y}-${two(m)}-${two(d)}`
  return H + M + S === 0 ? day : `${day} ${two(H)}:${two(M)}:${two(S)}`
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}
