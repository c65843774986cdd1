import type { Command } from 'commander'
import type { Answer } from '../../client/client.ts'

export type IdempotentOptions = { idempotencyKey?: string }

/** Without the option, each call gets a new key. */
export function idempotent(command: Command): Command {
  return command.option(
    '--idempotency-key <key>',
    'Send this key; the same key again returns the first result',
  )
}

/** The answer is a stored result: nothing was carried out again (decisions 4). */
export function isReplayed({ headers }: Pick<Answer<unknown>, 'headers'>): boolean {
  return headers['idempotency-replayed'] === 'true'
}
