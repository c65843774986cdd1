import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { desks, putFile, textIn } from './desks.ts'
import type { ErrandFile } from './errand-files.ts'
import { reportIn } from './errand-oracle.ts'
import { type Attempt, disturbanceOf, type ErrandCourse, isTold, nameOf, tryOnce } from './errands.ts'
import type { World } from './run.ts'

/**
 * An operator corrects the file of failed rows that the last report named, changes nothing else in it, and imports it. The original is
 * sent again as before.
 */
export async function repair(world: World, one: ErrandCourse): Promise<void> {
  const { random, repairs, errand, args } = one
  const attempt = one.attempts.at(-1)
  const failed = attempt && failedRows(one, attempt)
  if (failed === undefined) return
  const { name: errorsName, text, file } = failed
  // In the file itself, or in a copy of it; it is sent from either machine.
  if (random.is(0.5)) putFile({ partner: errand.partner, desk: attempt!.desk }, errorsName, text)
  const name = `${nameOf(errand)}-corrected-${repairs.length}.csv`
  for (const desk of desks) putFile({ partner: errand.partner, desk }, name, text)
  const course = { ...one, attempts: repairs, args: args.with(2, name), files: [file], box: undefined }
  for (let left = 2; left > 0; left -= 1) {
    await tryOnce(world, course, disturbanceOf(one))
    if (isTold(errand, repairs.at(-1)!) && random.is(0.7)) return
  }
}

function failedRows(one: ErrandCourse, attempt: Attempt) {
  const { file, code } = attempt
  const { errand } = one
  const mended = file?.mended?.()
  if (mended === undefined || code !== 9 || errand.kind === 'manifest') return undefined
  const errors = errorsFile(one, attempt)
  if (errors === undefined) return undefined
  const { name, head, rows } = errors
  const texts = rows.map(({ cells, number }) => correctedRow(cells, number, file!, mended))
  const lines = rows.map(({ number }) => mended.lines[number - 1]!)
  return { name, text: stringify([head, ...texts], { bom: true }), file: { ...mended, lines } }
}

/** `row`, `code`, and `message`. */
const errorColumns = 3

/** The file of failed rows that a report names; `number`: of the row in the file that was sent. */
export function errorsFile({ errand }: ErrandCourse, { out, desk }: Attempt, name = reportIn(out).file) {
  if (name === null) return undefined
  const text = textIn({ partner: errand.partner, desk }, name)
  const [head = [], ...rows] = parse(text, { bom: true, relax_column_count: true }) as string[][]
  const at = head.length - errorColumns
  return {
    name,
    head,
    rows: rows.map((cells) => ({ cells, number: Number(cells[at]), message: cells[at + 2] ?? '' })),
  }
}

/** The cells that are wrong, and no others, are typed anew; what a shop says once of an order stands in each of its rows. */
export function correctedRow(
  cells: string[],
  number: number,
  file: ErrandFile,
  mended: ErrandFile,
): string[] {
  const { name } = file.lines[number - 1]!
  const corrected = [...cells]
  for (const [index, line] of file.lines.entries()) {
    if (line.name !== name) continue
    const [wrong, right] = [line.text, mended.lines[index]!.text].map((text) => text.split(','))
    for (const [at, cell] of cells.entries())
      if (cell === wrong![at] && wrong![at] !== right![at]) corrected[at] = right![at]!
  }
  return corrected
}
