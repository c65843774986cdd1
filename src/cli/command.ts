import type { Command } from 'commander'
import type { Ending } from './base/exit-codes.ts'
import type { Session } from './session.ts'

/** How a command ended; nothing means `ok`. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands simply return.
export type Outcome = Ending | void

/** One command, one file: what it is called with, then what it does. `Args`: its arguments, then its options. */
export type CommandFile<Args extends unknown[] = unknown[]> = {
  /** One line for lists of commands. */
  summary: string
  /** What --help says beyond the summary. */
  details?: string
  /** Command lines without the leading `custody`. */
  examples: readonly string[]
  define?(command: Command): unknown
  /** It reaches no service or database. */
  isOffline?: true
  /** What it prints has one form: --output and the like do not apply. */
  isPlain?: true
  run(session: Session, ...args: Args): Promise<Outcome>
}

/** Loads a command's module; until then a command costs nothing at start. */
export type Load = () => Promise<{ command: CommandFile<never[]> }>

/** A word after `custody`: a group of commands, which may hold groups, or a command itself. */
export type Noun = (Group | { summary: string; load: Load }) & {
  /** Not for people: left out of help. */
  isHidden?: true
}
export type Group = { summary: string; verbs: Readonly<Record<string, Load | Group>> }
