import type { Ending } from '../base/cli-error.ts'
import type { Failure } from '../base/failure.ts'
import type { Style } from '../base/style.ts'
import { visible } from '../base/terminal-text.ts'
import { skewMaxMs } from '../base/times.ts'
import { columnsOf, type View } from '../output/columns.ts'

export function clockCheck(theirMs: number, ourMs: number): Check {
  const skew = ourMs - theirMs
  const seconds = Math.max(1, Math.ceil(Math.abs(skew) / 1000))
  if (Math.abs(skew) <= skewMaxMs) return { check: 'clock', detail: `agrees within ${seconds} s` }
  const detail = `this machine is ${seconds} s ${skew > 0 ? 'ahead' : 'behind'}: set its clock, preferably with NTP`
  return { check: 'clock', detail, ending: 'invalid' }
}

/** `ending`: how the run ends, if the check failed. */
export type Check = { check: string; detail: string; ending?: Ending | undefined; isWarning?: true }

export const checkList: View = {
  columns: columnsOf<ReturnType<typeof checkRecord>>('check', 'result', { name: 'detail', kind: 'long' }),
}

export function failed(check: string, { message, hint, ending }: Failure): Check {
  return { check, detail: hint === undefined ? message : `${message} ${hint}`, ending }
}

export function endingOf(checks: readonly Check[]): Ending {
  return checks.find(({ ending }) => ending !== undefined)?.ending ?? 'ok'
}

/** Never truncated, because the details say what to do. */
export async function checkLines(checks: readonly Check[], style: Style): Promise<string> {
  const { aligned } = await import('../output/table.ts')
  return aligned(
    checks.map((check) => {
      const paint = paintOf(check, style)
      return [paint(resultOf(check)), check.check, visible(check.detail)]
    }),
    { widths: ['FAILED'.length] },
  )
}

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
