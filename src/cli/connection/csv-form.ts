import type { Io } from '../base/io.ts'
import { type CsvForm, plainCsv } from '../output/format.ts'
import { configOf } from './target-settings.ts'

export function csvForm({ env }: Pick<Io, 'env'>, options: { excel?: boolean }): CsvForm {
  const { excel } = configOf(env)
  if (!options.excel && !excel) return plainCsv
  return { separator: typeof excel === 'string' ? excel : separatorOfLanguage(), hasMark: true }
}

/** In languages that write 1.5 as 1,5, Excel splits at semicolons. */
function separatorOfLanguage(): CsvForm['separator'] {
  return new Intl.NumberFormat().format(1.5).includes(',') ? ';' : ','
}
