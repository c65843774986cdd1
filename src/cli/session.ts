import type { Style } from './base/colours.ts'
import type { Io } from './base/io.ts'
import type { CommonOptions, Program, Session } from './command.ts'
import type { MakeNew } from './connection/connect.ts'
import type { Target } from './connection/target-type.ts'
import { fitTo } from './output/fit-to.ts'
import type { Paged } from './output/pager.ts'
import type { Printer } from './output/printer.ts'

export async function openSession(
  io: Io,
  commandName: string,
  options: CommonOptions,
  program: Program,
): Promise<Session> {
  const { styleFor } = await import('./base/style.ts')
  const errStyle = await styleFor(io.err, io.env, options.color !== false)
  let target: Promise<Target> | undefined
  let printer: Promise<Printer> | undefined
  let paged: Paged | undefined
  let isNamed = false
  const fitted = await fitTo(io.err)
  const reach = (makeNew?: MakeNew): Promise<Target> => {
    target ??= import('./connection/connect.ts').then(({ connect }) =>
      connect(io, options, session.notice, makeNew),
    )
    return target
  }
  const session: Session = {
    io,
    program,
    options,
    commandName,
    errStyle,
    printer() {
      printer ??= makePrinter()
      return printer
    },
    target: () => reach(),
    async targetToWrite(samples) {
      const reached = await reach(samples ?? 'empty')
      if (!isNamed) session.notice(writingTo(reached, errStyle))
      isNamed = true
      return reached
    },
    notice: (text) => (paged?.err ?? io.err).write(`${fitted(text)}\n`),
    async close() {
      await (await target?.catch(() => undefined))?.close()
      await paged?.end()
    },
  }
  const makePrinter = async (): Promise<Printer> => {
    const { createPrinter } = await import('./output/printer.ts')
    if (io.out.isTerminal && options.pager !== false) {
      const { pagedOutput } = await import('./output/pager.ts')
      paged = pagedOutput(io)
    }
    if (options.output !== 'csv') return createPrinter(io, options, paged)
    const { csvForm } = await import('./connection/csv-form.ts')
    return createPrinter(io, options, paged, csvForm(io, options))
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
