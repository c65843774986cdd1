import type { Command } from 'commander'

export type IdempotentOptions = { idempotencyKey?: string }

/** Gives a command its --idempotency-key; without it, each call has a new one. */
export function idempotent(command: Command): Command {
  return command.option(
    '--idempotency-key <key>',
    'one key, one result: the same key again answers the first result',
  )
}
