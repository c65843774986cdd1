import { Refusal } from '../../../domain/refusal.ts'
import { CliError } from '../../base/cli-error.ts'

const advice = 'Rename a column with --map theirs=ours, or leave it out with --ignore-columns'

/** The refusal of a whole file, with its name and what can be done about its columns, `flags` to copy: one line, then each fault. */
export function withAdvice(error: unknown, file: string, flags = ''): unknown {
  if (!(error instanceof Refusal)) return error
  const faults = (error.extra.fields as { file?: string[] } | undefined)?.file ?? []
  const isOfColumns = /unknown column/.test(error.message)
  const hint = isOfColumns && { hint: flags === '' ? `${advice}.` : `${advice}, as in: ${flags}` }
  if (faults.length > 1) {
    // The list of known columns is printed once instead of after each unknown one.
    const known = faults.map((fault) => /: the columns are (.*)$/s.exec(fault)?.[1]).find(Boolean)
    const fields: Record<string, string[]> = {}
    for (const [field, text] of faults.map(problemOf)) fields[field] = [...(fields[field] ?? []), text]
    const columns = known === undefined ? '' : ` The columns are ${known}.`
    return new CliError('invalid', `${file} has a header that does not fit.${columns}`, { fields, ...hint })
  }
  const message = error.message.replace(/^The file\b/, file).replace(/\?\.$/, '?')
  return new CliError('invalid', message, { ...hint })
}

/** The column that a fault of a header is about, and what is wrong with it. */
function problemOf(fault: string): [string, string] {
  const [, unknown, meant] = /^has an unknown column "(.*)": (.*)$/s.exec(fault) ?? []
  if (unknown !== undefined)
    return [unknown, meant?.startsWith('did you') ? `is not known; ${meant}` : 'is not known']
  const lacking = /^lacks the required column (.*)$/s.exec(fault)?.[1]
  if (lacking !== undefined) return [lacking, 'is required and not there']
  const twice = /^has the column (.*) twice$/s.exec(fault)?.[1]
  return twice === undefined ? ['header', fault] : [twice, 'is there twice']
}
