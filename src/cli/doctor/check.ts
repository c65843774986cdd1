import type { Style } from '../base/colours.ts'
import type { Ending } from '../base/exit-codes.ts'
import { visible } from '../base/terminal-text.ts'
import type { View } from '../output/columns.ts'

/** One thing that was looked at. `ending`: how the run ends where it failed; undefined where all is well, or a warning. */
export type Check = { check: string; detail: string; ending?: Ending | undefined; isWarning?: true }

export const checkList: View = {
  columns: [{ name: 'check' }, { name: 'result' }, { name: 'detail', kind: 'long' }],
}

/** How a run ends after its checks: as the first that failed. */
export function endingOf(checks: readonly Check[]): Ending {
  return checks.find(({ ending }) => ending !== undefined)?.ending ?? 'ok'
}

/** Lines for people, whole: what to do must not be cut off. */
export function checkLines(checks: readonly Check[], style: Style): string {
  const width = Math.max(...checks.map(({ check }) => check.length))
  return checks
    .map((check) => {
      const paint = paintOf(check, style)
      return `${paint(resultOf(check).padEnd(6))}  ${check.check.padEnd(width)}  ${visible(check.detail)}\n`
    })
    .join('')
}

/** The wire form of a check, for --json. */
export function checkRecord(check: Check): { check: string; result: string; detail: string } {
  return { check: check.check, result: resultOf(check), detail: check.detail }
}

function resultOf({ ending, isWarning }: Check): string {
  if (ending !== undefined) return 'FAILED'
  return isWarning ? 'warn' : 'ok'
}

function paintOf({ ending, isWarning }: Check, style: Style): (text: string) => string {
  if (ending !== undefined) return (text) => style.red(style.bold(text))
  return isWarning ? style.yellow : style.green
}
