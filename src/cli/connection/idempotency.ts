import type { Command } from 'commander'

export type IdempotentOptions = { idempotencyKey?: string }

/** Adds --idempotency-key to a command; without it, each call gets a new key. */
export function idempotent(command: Command): Command {
  return command.option(
    '--idempotency-key <key>',
    'one key, one result: the same key again answers the first result',
  )
}
