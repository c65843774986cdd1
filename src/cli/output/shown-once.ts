import { usage } from '../base/cli-error.ts'
import { columnsFor } from './choose-columns.ts'
import type { View } from './columns.ts'
import type { Format, OutputOptions } from './format.ts'

/** Identifies a sample's secret in the output of any jq program. */
export const sampleMark = 'SHOWNONCE'

/** Throws `usage` if --columns or --jq would lose a secret that is shown only once. If jq fails, the whole result is printed. */
export async function checkShownOnce(view: View, format: Format, options: OutputOptions): Promise<void> {
  if (view.shownOnce === undefined) return
  const { field, sample } = view.shownOnce
  const shown = columnsFor(format, view, options.columns).map(({ name }) => name)
  if (!shown.includes(field)) throw leftOut('--columns', `Add ${field} to the columns.`)
  if (options.jq === undefined) return
  const { jqText } = await import('./jq.ts')
  const text = await jqText(JSON.stringify(sample), options.jq).catch(() => sampleMark)
  if (!text.includes(sampleMark)) throw leftOut('--jq', `Print .${field} too.`)

  function leftOut(flag: string, advice: string): Error {
    return usage(`${flag} leaves out the ${field}, which is shown only once.`, advice)
  }
}
