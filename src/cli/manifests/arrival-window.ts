import { isCalendarDate } from '../../domain/calendar-date.ts'
import { CliError } from '../base/cli-error.ts'

/** The arrival window as flags give it, before anything is sent. Throws `invalid` naming the flag. */
export function checkWindow({ arrivesFrom, arrivesBy }: { arrivesFrom?: string; arrivesBy?: string }): void {
  for (const [flag, text] of [
    ['--arrives-from', arrivesFrom],
    ['--arrives-by', arrivesBy],
  ] as const) {
    if (text === undefined || isCalendarDate(text)) continue
    throw new CliError('invalid', `${flag}: "${text}" is not a date.`, { hint: 'Write it as 2026-05-04.' })
  }
  if (arrivesFrom !== undefined && arrivesBy !== undefined && arrivesBy < arrivesFrom)
    throw new CliError('invalid', `--arrives-by ${arrivesBy} is before --arrives-from ${arrivesFrom}.`)
}
