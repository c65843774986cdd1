import type { Command } from 'commander'
import type { Answer } from '../../client/client.ts'

export type IdempotentOptions = { idempotencyKey?: string }

/** Adds --idempotency-key to a command; without it, each call gets a new key. */
export function idempotent(command: Command): Command {
  return command.option(
    '--idempotency-key <key>',
    'Send this key; the same key again returns the first result',
  )
}

/** Whether an answer is a stored result: nothing was carried out anew (decisions 4). */
export function isReplayed({ headers }: Pick<Answer<unknown>, 'headers'>): boolean {
  return headers['idempotency-replayed'] === 'true'
}
