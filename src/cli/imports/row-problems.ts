import type { CsvRowError } from '../../contract/resources/error.ts'
import { counted } from '../base/counted.ts'
import { visible } from '../base/terminal-text.ts'
import type { Session } from '../command.ts'
import type { Located } from './formats/located.ts'
import type { RowPlace } from './formats/row-places.ts'
import type { Lint } from './lint.ts'

/** Shows on stderr why the first failed rows failed; the errors file has all. */
export function showProblems(
  session: Session,
  problems: readonly Located<CsvRowError>[],
  total: number,
  where: string,
): void {
  if (total === 0) return
  const { errStyle, notice } = session
  const failed = counted(total, 'row failed', 'rows failed')
  // An earlier part of the same import has shown them.
  if (problems.length === 0) {
    notice(`${failed} before${where && `: see them${where}`}`)
    return
  }
  notice(errStyle.bold(`${failed}:`))
  notice(linesOf(problems.map((problem) => [placeOf(problem), visible(problem.message)])))
  if (total > problems.length)
    notice(`  … and ${(total - problems.length).toLocaleString('en')} more${where}`)
}

/** Shows what looks wrong but is sent anyway. */
export function showWarnings(
  session: Session,
  warnings: readonly Located<Lint>[],
  nameOf: (place: RowPlace) => string = placeOf,
): void {
  if (warnings.length === 0) return
  session.notice(session.errStyle.bold('Look at these; they are sent as they are:'))
  session.notice(
    linesOf(warnings.map(({ field, message, ...place }) => [nameOf(place), `${field} ${visible(message)}`])),
  )
}

/** As a spreadsheet counts the rows below the header, and as an editor counts the lines of the file. */
function placeOf({ row, line }: RowPlace): string {
  return `row ${row}, line ${line}`
}

function linesOf(rows: ReadonlyArray<readonly [string, string]>): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`).join('\n')
}
