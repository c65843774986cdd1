import type { CsvRowError } from '../../contract/resources/error.ts'
import { counted } from '../base/counted.ts'
import { visible } from '../base/terminal-text.ts'
import type { Session } from '../command.ts'
import type { Located, RowPlace } from './formats/file-kind.ts'
import type { Lint } from './lint.ts'

/** Shows on stderr why the first failed rows failed; the errors file has all. */
export function showProblems(
  { errStyle, notice }: Session,
  problems: readonly Located<CsvRowError>[],
  total: number,
  where: string,
): void {
  if (total === 0) return
  notice(errStyle.bold(`${counted(total, 'row failed', 'rows failed')}:`))
  notice(linesOf(problems.map((problem) => [placeOf(problem), problem.message])))
  const more = total - problems.length
  if (more > 0) notice(`  … and ${more.toLocaleString('en')} more${where}`)
}

/** Shows what looks wrong but is sent anyway. */
export function showWarnings(
  { errStyle, notice }: Session,
  warnings: readonly Located<Lint>[],
  nameOf: (place: RowPlace) => string = placeOf,
): void {
  if (warnings.length === 0) return
  notice(errStyle.bold('Look at these; they are sent as they are:'))
  notice(linesOf(warnings.map((lint) => [nameOf(lint), `${lint.field} ${lint.message}`])))
}

/** As a spreadsheet counts the rows below the header, and as an editor counts the lines of the file. */
function placeOf({ row, line }: RowPlace): string {
  return `row ${row}, line ${line}`
}

function linesOf(rows: ReadonlyArray<readonly [string, string]>): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `  ${name.padEnd(width)}  ${visible(text)}`).join('\n')
}
