import type { Command } from 'commander'
import type { Ending } from './base/cli-error.ts'
import type { Io } from './base/io.ts'
import type { Style } from './base/style.ts'
import type { TargetOptions } from './connection/target.ts'
import type { Target } from './connection/target-type.ts'
import type { View } from './output/columns.ts'
import type { Format, OutputOptions } from './output/format.ts'
import type { Printer } from './output/printer.ts'

// biome-ignore lint/suspicious/noConfusingVoidType: most commands simply return, which means `ok`.
export type Outcome = Ending | void

export type CommandFile<Args extends unknown[] = unknown[]> = LoneCommand<Args> & Pick<Words, 'summary'>

/** Of a noun without verbs, which has the summary: the list of nouns loads no command. */
export type LoneCommand<Args extends unknown[] = unknown[]> = Omit<Words, 'summary'> &
  (Plain | Printing<Args>) & {
    define?(command: Command): unknown
    isOffline?: true
    run(session: Session, ...args: Args): Promise<Outcome>
  }

export type Words = {
  summary: string
  details?: string
  /** Without the leading `custody`. */
  examples: readonly string[]
}

/** The output has one form only, so --output and similar options do not apply. */
type Plain = { isPlain: true }

type Printing<Args extends unknown[]> = {
  isPlain?: never
  /** Checked against --columns etc. before the command runs; undefined if the data decide. Completion passes no arguments. */
  view(format: Format, ...args: Partial<Args>): View | undefined
  /** Writes a CSV file next to its output, to which --excel applies too. */
  writesCsv?: true
}

/** Loads a command's module only when needed, to keep the start fast. */
export type Load<File = CommandFile<never[]>> = () => Promise<{ command: File }>

export type Noun = (Group | { summary: string; load: Load<LoneCommand<never[]>> }) & {
  isHidden?: true
}
export type Group = { summary: string; verbs: Readonly<Record<string, Load | Group>> }
export type Nouns = Readonly<Record<string, Noun>>

type Program = {
  nouns: Nouns
  run(args: readonly string[], io: Io): Promise<number>
}

export type CommonOptions = OutputOptions &
  TargetOptions & { debug?: boolean; yes?: boolean; quiet?: boolean; noInput?: boolean }

export type Session = {
  readonly io: Io
  readonly program: Program
  readonly options: CommonOptions
  /** As typed: `custody items ls`. */
  readonly commandName: string
  readonly errStyle: Style
  /** Undefined if the command decides on it later. */
  readonly view: View | undefined
  /** A printer for `view`, by default the session's. Throws `usage` if the options do not fit it. */
  printer(view?: View): Promise<Printer>
  /** Connects once; later calls return the same target. */
  target(): Promise<Target>
  /** Names the target on stderr, and creates a named database that is missing. */
  targetToWrite(filled?: 'samples'): Promise<Target>
  /** Names the target on stderr, once. From then on, faults of the output are only warnings. */
  writingTo(target: Pick<Target, 'environment' | 'label'>): void
  /** Prints a line on stderr, unless --quiet; lines that begin with `Warning:` are always printed. */
  notice(text: string): void
  /** Prints a line on stderr, even with --quiet. */
  warn(text: string): void
  answerFault(): Promise<Error | undefined>
  close(): Promise<void>
}
