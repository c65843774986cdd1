import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Outlet } from '../io.ts'
import { visible } from '../output/cell-text.ts'
import { shorten } from '../output/shorten.ts'
import type { Style } from '../output/style.ts'
import { localTime } from '../times.ts'
import { changeOf, subjectOf } from './event-view.ts'

/** As long as the longest type, manifest.reconciliation.completed. */
const typeWidth = 33
/** As long as a QID. */
const subjectWidth = 16

/** One readable line of an event: local time, type, subject, what changed. */
export function eventLine(event: WebhookEvent, out: Outlet, style: Style): string {
  const time = localTime(event.created_at)
  const subject = visible(subjectOf(event))
  const shown = subject.length > subjectWidth ? subject : subject.padEnd(subjectWidth)
  const rest = out.columns() - time.length - typeWidth - shown.length - 6
  const change = shorten(visible(changeOf(event)), Math.max(rest, 20))
  return `${style.dim(time)}  ${paintType(event.type.padEnd(typeWidth), style)}  ${shown}  ${change}\n`
}

function paintType(type: string, style: Style): string {
  if (type.startsWith('item.intake')) return style.green(type)
  if (/issue|returned|declined/.test(type)) return style.yellow(type)
  return type.startsWith('item.') ? type : style.cyan(type)
}
