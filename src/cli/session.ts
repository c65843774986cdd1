import type { Io } from './base/io.ts'
import type { Style } from './base/style.ts'
import type { Target } from './connection/connect.ts'
import type { TargetOptions } from './connection/target.ts'
import type { OutputOptions } from './output/format.ts'
import type { Printer } from './output/printer.ts'

/** The options that every command has. */
export type CommonOptions = OutputOptions & TargetOptions & { debug?: boolean; yes?: boolean }

/** What a command is given: the surroundings, the options that all have, and ways to print and to reach the target. */
export type Session = {
  readonly io: Io
  readonly options: CommonOptions
  /** As typed: `custody items ls`. */
  readonly commandName: string
  /** For what goes to stderr. */
  readonly errStyle: Style
  printer(): Promise<Printer>
  /** Reaches the target; the second time the same one. */
  target(): Promise<Target>
  /** Says on stderr which target is written to, once, and reaches it. */
  targetToWrite(): Promise<Target>
  /** A line on stderr. */
  notice(text: string): void
  close(): Promise<void>
}

export async function openSession(io: Io, commandName: string, options: CommonOptions): Promise<Session> {
  const { styleFor } = await import('./base/style.ts')
  const errStyle = await styleFor(io.err, io.env, options.color !== false)
  let target: Promise<Target> | undefined
  let printer: Promise<Printer> | undefined
  let isNamed = false
  const session: Session = {
    io,
    options,
    commandName,
    errStyle,
    printer() {
      printer ??= import('./output/printer.ts').then(({ createPrinter }) => createPrinter(io, options))
      return printer
    },
    target() {
      target ??= import('./connection/connect.ts').then(({ connect }) => connect(io, options, session.notice))
      return target
    },
    async targetToWrite() {
      const reached = await session.target()
      if (!isNamed) session.notice(writingTo(reached, errStyle))
      isNamed = true
      return reached
    },
    notice: (text) => io.err.write(`${text}\n`),
    async close() {
      await (await target?.catch(() => undefined))?.close()
    },
  }
  return session
}

/** `Writing to PRODUCTION: …`, on stderr before anything is written. */
export function writingTo(
  { environment, label }: Pick<Target, 'environment' | 'label'>,
  style: Pick<Style, 'red' | 'bold'>,
): string {
  if (environment === undefined) return `Writing to ${label}`
  return `Writing to ${environment === 'production' ? style.red(style.bold('PRODUCTION')) : environment}: ${label}`
}
