import { isCalendarDate } from '../../domain/utc-time.ts'
import { usage } from '../base/cli-error.ts'

/** Checked before anything is sent. Throws `usage` naming the flag. */
export function checkWindow({ arrivesFrom, arrivesBy }: { arrivesFrom?: string; arrivesBy?: string }): void {
  for (const [flag, text] of [
    ['--arrives-from', arrivesFrom],
    ['--arrives-by', arrivesBy],
  ] as const) {
    if (text === undefined || isCalendarDate(text)) continue
    throw usage(`${flag}: "${text}" is not a date.`, 'Write it as 2026-05-04.')
  }
  if (arrivesFrom !== undefined && arrivesBy !== undefined && arrivesBy < arrivesFrom)
    throw usage(`--arrives-by ${arrivesBy} is before --arrives-from ${arrivesFrom}.`)
}
