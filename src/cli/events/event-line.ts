import stringWidth from 'string-width'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Style } from '../base/colours.ts'
import type { Outlet } from '../base/io.ts'
import { visible } from '../base/terminal-text.ts'
import { localTime } from '../base/times.ts'
import { shorten } from '../output/shorten.ts'
import { changeOf, subjectOf } from './event-view.ts'

/** The longest type, `manifest.reconciliation.completed`, and the longest without its last word. */
const typeWidth = 33
const shortTypeWidth = 23
/** The length of a QID. */
const subjectWidth = 16
/** Least room for the change; with less, time and type are shortened. */
const changeWidth = 26
/** Least room after shortening; with less, the date is dropped and subjects no longer align. */
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
  const placed = isNarrow ? shorten : padded
  const type = isWide ? placed(given, typeWidth) : placed(shortType(given), shortTypeWidth)
  const before = time.length + type.length + 2 * gap.length
  const whole = visible(subjectOf(event))
  const subject = isNarrow ? whole : whole + ' '.repeat(Math.max(0, subjectWidth - stringWidth(whole)))
  const rest = width - before - stringWidth(subject) - gap.length
  const change = rest > 0 ? gap + shorten(visible(changeOf(event)), rest) : ''
  if (columns < leastWidth) return `${shorten(`${time}${gap}${type}${gap}${subject}${change}`, columns)}\n`
  return `${style.dim(time)}${gap}${paintType(type, style)}${gap}${subject}${change}\n`
}

/** `item.intake.completed` -> `item.intake`: still unique, and the change shows the status. */
function shortType(type: string): string {
  return type.replace(/^([^.]+\.[^.]+)\.[^.]+$/, '$1')
}

function padded(text: string, width: number): string {
  const fitting = shorten(text, width)
  return fitting + ' '.repeat(Math.max(0, width - stringWidth(fitting)))
}

function paintType(type: string, style: Style): string {
  if (type.startsWith('item.intake')) return style.green(type)
  if (/issue|returned|declined/.test(type)) return style.yellow(type)
  return type.startsWith('item.') ? type : style.cyan(type)
}
