import { Refusal } from '../../../../domain/refusal.ts'
import type { IssuedKey } from '../../../../engine/keys.ts'
import { CliError, usage } from '../../../base/cli-error.ts'
import type { Session } from '../../../command.ts'
import type { View } from '../../../output/columns.ts'

/** A new key as it is printed. */
export const issuedKey: View = {
  columns: [
    { name: 'key', kind: 'id' },
    { name: 'id', kind: 'id' },
    { name: 'created_at', kind: 'time' },
    { name: 'expires_at', kind: 'time' },
  ],
}

/** Throws `usage` where the columns that are asked for would leave the key out: it is shown once, and would be lost. */
export function checkKeyIsShown({ options }: Session): void {
  if (options.columns === undefined || options.columns.split(',').some((name) => name.trim() === 'key'))
    return
  throw usage('--columns leaves the key out, which is shown only once.', 'Add key to the columns.')
}

/**
 * Prints a new key, the only time that it is shown. In a pipe it is printed alone, for a file or a secret store, unless other columns
 * are asked for.
 */
export async function printIssued(session: Session, { key, row }: IssuedKey): Promise<void> {
  const printer = await session.printer()
  const { id, created_at, expires_at } = row
  if (printer.format === 'tsv' && /^\s*(key\s*)?$/.test(session.options.columns ?? ''))
    printer.text(`${key}\n`)
  else await printer.one({ key, id, created_at, expires_at })
  session.notice('Keep the key now: it is stored nowhere and not shown again.')
}

/** An operator of the database may know what exists, so the message says what was not found. */
export function sayNotFound(what: string, hint: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof Refusal && error.code === 'not_found') {
      throw new CliError('not_found', `There is no ${what}.`, { hint })
    }
    throw error
  }
}
