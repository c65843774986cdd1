import type { Style } from '../base/colours.ts'
import type { Ending } from '../base/exit-codes.ts'
import { visible } from '../base/terminal-text.ts'
import type { View } from '../output/columns.ts'

/** One thing that was looked at. `ending`: how the run ends where it failed; undefined where all is well. */
export type Check = { check: string; detail: string; ending?: Ending | undefined }

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
      const result = check.ending === undefined ? style.green('ok    ') : style.red(style.bold('FAILED'))
      return `${result}  ${check.check.padEnd(width)}  ${visible(check.detail)}\n`
    })
    .join('')
}

/** The wire form of a check, for --json. */
export function checkRecord(check: Check): { check: string; result: string; detail: string } {
  return { check: check.check, result: resultOf(check), detail: check.detail }
}

function resultOf({ ending }: Check): string {
  return ending === undefined ? 'ok' : 'FAILED'
}
