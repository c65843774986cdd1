import type { Command } from 'commander'
import type { Style } from './base/colours.ts'
import type { Ending } from './base/exit-codes.ts'
import type { Io } from './base/io.ts'
import type { TargetOptions } from './connection/target.ts'
import type { Target } from './connection/target-type.ts'
import type { View } from './output/columns.ts'
import type { Format, OutputOptions } from './output/format.ts'
import type { Printer } from './output/printer.ts'

/** How a command ended; nothing means `ok`. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands simply return.
export type Outcome = Ending | void

/** One command, one file: what it is called with, then what it does. `Args`: its arguments, then its options. */
export type CommandFile<Args extends unknown[] = unknown[]> = Words &
  (Plain | Printing<Args>) & {
    define?(command: Command): unknown
    /** It reaches no service or database. */
    isOffline?: true
    run(session: Session, ...args: Args): Promise<Outcome>
  }

/** What help says of a command. */
export type Words = {
  /** One line for lists of commands. */
  summary: string
  /** What --help says beyond the summary. */
  details?: string
  /** Command lines without the leading `custody`. */
  examples: readonly string[]
}

/** Its output has one form only: --output and the like do not apply. */
type Plain = { isPlain: true }

type Printing<Args extends unknown[]> = {
  isPlain?: never
  /**
   * What it prints. What --columns and its like ask of that is judged before the command runs, so that a wrong name changes
   * nothing. Undefined where only what is read decides, and nothing is written. The completion asks without arguments.
   */
  view(format: Format, ...args: Partial<Args>): View | undefined
  /** It writes a CSV file beside its output, which --excel is about too. */
  writesCsv?: true
}

/** Loads a command's module; until then a command costs nothing at start. */
export type Load = () => Promise<{ command: CommandFile<never[]> }>

/** A word after `custody`: a group of commands, which may hold groups, or a command itself. */
export type Noun = (Group | { summary: string; load: Load }) & {
  /** Not for people: left out of help. */
  isHidden?: true
}
export type Group = { summary: string; verbs: Readonly<Record<string, Load | Group>> }
/** Every word that may follow `custody`, in the order of help. */
export type Nouns = Readonly<Record<string, Noun>>

/** The whole program, for commands that are about it: completion and the demo. */
type Program = {
  nouns: Nouns
  /** Runs one command line and answers the exit code. Throws nothing. */
  run(args: readonly string[], io: Io): Promise<number>
}

/** The options that every command has. */
export type CommonOptions = OutputOptions &
  TargetOptions & { debug?: boolean; yes?: boolean; quiet?: boolean; input?: boolean }

/** What a command gets: its environment, the common options, and ways to print and to reach the target. */
export type Session = {
  readonly io: Io
  /** The program that runs this command. */
  readonly program: Program
  readonly options: CommonOptions
  /** As typed: `custody items ls`. */
  readonly commandName: string
  /** For what goes to stderr. */
  readonly errStyle: Style
  /** What the command prints; undefined where it says so later. */
  readonly view: View | undefined
  /** Prints what the command says that it prints, or another view. Throws `usage` where the options do not fit it. */
  printer(view?: View): Promise<Printer>
  /** Connects to the target; returns the same one if called again. */
  target(): Promise<Target>
  /** Connects to write: says once on stderr which target that is, and makes a named database that is missing. */
  targetToWrite(filled?: 'samples'): Promise<Target>
  /** Says once on stderr what is written to. What is wrong with the output from then on is a warning. */
  writingTo(target: Pick<Target, 'environment' | 'label'>): void
  /** A line on stderr; --quiet drops it unless it begins with `Warning:`. */
  notice(text: string): void
  /** A line on stderr that --quiet keeps. */
  warn(text: string): void
  close(): Promise<void>
}
