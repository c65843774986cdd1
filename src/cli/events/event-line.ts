import stringWidth from 'string-width'
import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Style } from '../base/colours.ts'
import type { Outlet } from '../base/io.ts'
import { visible } from '../base/terminal-text.ts'
import { localTime } from '../base/times.ts'
import { shorten } from '../output/shorten.ts'
import { changeOf, subjectOf } from './event-view.ts'

/** As long as the longest type, manifest.reconciliation.completed, and as the longest without its last word. */
const typeWidth = 33
const shortTypeWidth = 23
/** As long as a QID. */
const subjectWidth = 16
/** The least room for what changed; with less, time and type are shortened. */
const changeWidth = 26
/** The least for it then; with less, the date is left out, and subjects stand no longer one below the other. */
const leastChangeWidth = 20
const gap = '  '
/** Below this width the line is simply cut. */
const leastWidth = 60

/**
 * One readable line of an event: local time, type, subject, what changed. No wider than the terminal, unless the subject is: half a
 * reference would be another one.
 */
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

/** `item.intake.completed` -> `item.intake`: every type is told apart by it, and a status is seen in what changed. */
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
