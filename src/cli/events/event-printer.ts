import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Session } from '../command.ts'
import type { CsvForm } from '../output/csv-text.ts'
import { createPrinter, type Printer } from '../output/printer.ts'
import { eventList } from './event-view.ts'
import { afterHalfLine, halfLineOfStdout } from './half-line.ts'

type EventPrinter = {
  /** Whether what is printed is of use only once the end is. */
  isGathered: boolean
  print(event: WebhookEvent): Promise<void>
  end(): Promise<void>
}

type EventPrinting = {
  isEndless: boolean
  /** Whether an earlier run printed the events before these. */
  isResumed: boolean
}

/** Prints events as they come: a readable line each on a terminal; a list without an end cannot be one JSON array. */
export async function eventPrinter(session: Session, printing: EventPrinting): Promise<EventPrinter> {
  const { io, options } = session
  const asked = await session.printer()
  if (asked.format === 'table' && options.columns === undefined) {
    const { eventLine } = await import('./event-line.ts')
    return {
      isGathered: false,
      print: async (event) => io.out.write(eventLine(event, io.out, asked.style)),
      end: async () => {},
    }
  }
  const isArray = asked.format === 'json'
  // An array without its end is nothing that can be read, by jq neither.
  if (isArray && !printing.isEndless) return listPrinter(asked, true)
  const out = printing.isResumed ? afterHalfLine(io.out, halfLineOfStdout()) : io.out
  const format = isArray ? 'ndjson' : asked.format
  const means = format === 'csv' ? { csv: await csvFrom(session, printing) } : {}
  return listPrinter(
    await createPrinter({ ...io, out }, { ...options, json: false, output: format }, eventList, means),
  )
}

/** Only a file's beginning bears the mark. */
async function csvFrom({ io, options }: Session, { isResumed }: EventPrinting): Promise<CsvForm> {
  const { csvForm } = await import('../connection/csv-form.ts')
  const form = csvForm(io, options)
  return { ...form, hasMark: form.hasMark && !isResumed }
}

function listPrinter(printer: Printer, isGathered = false): EventPrinter {
  const writer = printer.list()
  return { isGathered, print: (event) => writer.push([event]), end: () => writer.end() }
}
