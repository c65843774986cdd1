import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Outlet } from '../base/io.ts'
import type { Style } from '../base/style.ts'
import { visible } from '../base/terminal-text.ts'
import { localTime } from '../base/times.ts'
import { displayWidth, shorten } from '../output/shorten.ts'
import { aligned } from '../output/table.ts'
import { changeOf, subjectOf } from './event-view.ts'

/** The longest type, `manifest.reconciliation.completed`, and the longest without its last word. */
const typeWidth = 33
const shortTypeWidth = 23
const subjectWidth = 16
/** Minimum width for the change; with less, time and type are shortened. */
const changeWidth = 26
/** Minimum width after shortening; with less, the date is dropped and subjects no longer align. */
const leastChangeWidth = 20
const gap = '  '
/** On a narrower terminal, lines are cut. */
const leastWidth = 60

/** Fits the terminal unless the subject does not: half a reference would look like another one. */
export function eventLine(event: WebhookEvent, out: Outlet, style: Style): string {
  const columns = out.columns()
  const width = Math.max(columns, leastWidth)
  const full = visible(localTime(event.created_at))
  const isWide = width >= full.length + typeWidth + subjectWidth + changeWidth + 3 * gap.length
  const dated = full.slice('2026-'.length)
  const isNarrow = width < dated.length + shortTypeWidth + subjectWidth + leastChangeWidth + 3 * gap.length
  const time = isWide ? full : isNarrow ? full.slice('2026-05-01 '.length) : dated
  const given = visible(event.type)
  const usual = isWide ? typeWidth : shortTypeWidth
  const type = shorten(isWide ? given : shortType(given), usual)
  const subject = visible(subjectOf(event))
  const typeRoom = isNarrow ? displayWidth(type) : usual
  const subjectRoom = Math.max(isNarrow ? 0 : subjectWidth, displayWidth(subject))
  const rest = width - time.length - typeRoom - subjectRoom - 3 * gap.length
  const change = rest > 0 ? shorten(visible(changeOf(event)), rest) : ''
  const isCut = columns < leastWidth
  const cells = isCut
    ? [time, type, subject, change]
    : [style.dim(time), paintType(type, style), subject, change]
  const line = aligned([cells], { widths: [undefined, typeRoom, subjectRoom] })
  return isCut ? `${shorten(line.trimEnd(), columns)}\n` : line
}

/** `item.intake.completed` -> `item.intake`: still unique, and the change shows the status. */
function shortType(type: string): string {
  return type.replace(/^([^.]+\.[^.]+)\.[^.]+$/, '$1')
}

function paintType(type: string, style: Style): string {
  if (type.startsWith('item.intake')) return style.green(type)
  if (/issue|returned|declined/.test(type)) return style.yellow(type)
  return type.startsWith('item.') ? type : style.cyan(type)
}
