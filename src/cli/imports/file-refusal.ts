import { Refusal } from '../../domain/refusal.ts'
import { CliError } from '../cli-error.ts'

/** The refusal of a whole file, with its name and what can be done about its columns. */
export function withAdvice(error: unknown, file: string): unknown {
  if (!(error instanceof Refusal)) return error
  const message = error.message.replace(/^The file\b/, file).replace(/\?\.$/, '?')
  if (!/unknown column/.test(message)) return new CliError('invalid', message)
  return new CliError('invalid', message, {
    hint: 'Rename a column with --map theirs=ours, or leave it out with --ignore-columns.',
  })
}
