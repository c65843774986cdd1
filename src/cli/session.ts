import { type Style, settleColour, styleFor } from './base/style.ts'
import { shortWords } from './base/terminal-text.ts'
import type { Session } from './command.ts'
import type { MakeNew } from './connection/connect.ts'
import { csvForm } from './connection/csv-form.ts'
import type { Target } from './connection/target-type.ts'
import type { View } from './output/columns.ts'
import { fitTo } from './output/fit-to.ts'
import type { Paged } from './output/pager.ts'
import type { Printer } from './output/printer.ts'

type Given = Pick<Session, 'io' | 'program' | 'options' | 'commandName' | 'view'>

export async function openSession({ io, program, options, commandName, view }: Given): Promise<Session> {
  settleColour(io.env, options.color === false)
  const errStyle = await styleFor(io.err, io.env)
  let target: Promise<Target> | undefined
  let printer: Promise<Printer> | undefined
  let paged: Paged | undefined
  let isWriting = false
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
    view,
    printer(other) {
      if (other !== undefined) return makePrinter(other)
      printer ??= makePrinter(view)
      return printer
    },
    target: () => reach(),
    async targetToWrite(samples) {
      const reached = await reach(samples ?? 'empty')
      session.writingTo(reached)
      return reached
    },
    writingTo(place) {
      if (!isWriting) session.notice(writingText(place, errStyle))
      isWriting = true
    },
    notice(text) {
      if (!options.quiet || text.startsWith('Warning:')) session.warn(text)
    },
    warn: (text) => (paged?.err ?? io.err).write(`${fitted(shortWords(text))}\n`),
    answerFault: async () => (await target?.catch(() => undefined))?.answerFault?.(),
    async close() {
      await (await target?.catch(() => undefined))?.close()
      await paged?.end()
    },
  }
  const makePrinter = async (printed: View = { columns: [] }): Promise<Printer> => {
    const { createPrinter } = await import('./output/printer.ts')
    if (io.out.isTerminal && options.pager !== false) {
      const { pagedOutput } = await import('./output/pager.ts')
      paged ??= pagedOutput(io)
    }
    const csv = options.output === 'csv' ? csvForm(session) : undefined
    return createPrinter(io, options, printed, { paged, csv, isWriting: () => isWriting })
  }
  return session
}

function writingText(
  { environment, label }: Pick<Target, 'environment' | 'label'>,
  style: Pick<Style, 'red' | 'bold'>,
): string {
  if (environment === undefined) return `Writing to ${label}`
  return `Writing to ${environment === 'production' ? style.red(style.bold('PRODUCTION')) : environment}: ${label}`
}
