import type { Separator } from '../../../domain/csv/csv-pieces.ts'
import { counted } from '../../base/counted.ts'
import { visible } from '../../base/terminal-text.ts'
import type { Session } from '../../command.ts'
import { columnsOf } from './apply-rules.ts'
import { nameKey } from './header-name.ts'
import type { Preset, Rule } from './presets/preset.ts'
import type { LeftOut, Plan } from './take-rows.ts'

const separatorNames: Readonly<Record<Separator, string>> = { ',': 'commas', ';': 'semicolons', '\t': 'tabs' }

/** Prints how the file differs from UTF-8 with commas. */
export function sayFormat(session: Session, encoding: string | undefined, separator: Separator): void {
  if (encoding === undefined || (encoding === 'utf-8' && separator === ',')) return
  session.notice(`Read as ${encoding}, separated by ${separatorNames[separator]}.`)
}

export function sayPreset(
  session: Session,
  { title }: Preset,
  header: readonly string[],
  columns: Readonly<Record<string, Rule>>,
): void {
  const used = new Set(Object.values(columns).flatMap(columnsOf).map(nameKey))
  const unneeded = header.filter((name) => nameKey(name) !== '' && !used.has(nameKey(name))).length
  session.notice(`Recognised: ${title}; ${counted(unneeded, 'column is', 'columns are')} not needed.`)
}

export function sayUnderstood(session: Session, understood: ReadonlyArray<readonly [string, string]>): void {
  if (understood.length === 0) return
  const pairs = understood.map(([theirs, ours]) => `${visible(theirs.trim())} as ${ours}`)
  session.notice(`Understood: ${pairs.join(', ')}.`)
}

/** Prints how much was left out, by reason. */
export function sayLeftOut(
  session: Session,
  { above, reasons, separatorsOnly, trailers }: LeftOut,
  { header }: Plan,
): void {
  const skipped = [...reasons].map(([why, count]) => `${count.toLocaleString('en')} ${why}`)
  const total = [...reasons.values()].reduce((sum, count) => sum + count, 0)
  if (total > 0) session.notice(`${counted(total, 'row is', 'rows are')} not taken: ${skipped.join(', ')}.`)
  const nameless = header.filter((name) => name.trim() === '').length
  const dropped = [
    above > 0 ? counted(above, 'line above the header', 'lines above the header') : '',
    nameless > 0 ? counted(nameless, 'empty column') : '',
    separatorsOnly > 0 ? counted(separatorsOnly, 'empty row') : '',
    trailers > 0 ? counted(trailers, 'line that is no row', 'lines that are no rows') : '',
  ].filter((text) => text !== '')
  if (dropped.length > 0) session.notice(`Dropped: ${dropped.join(', ')}.`)
}
