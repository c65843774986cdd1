import type { WebhookEvent } from '../../contract/resources/event.ts'
import type { Session } from '../command.ts'
import { createPrinter, type Printer } from '../output/printer.ts'
import { eventList } from './event-view.ts'
import { afterHalfLine, halfLineOfStdout } from './half-line.ts'

type EventPrinter = {
  /** Whether nothing is printed before the end. */
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
  // jq takes an array as one value.
  if (isArray && !printing.isEndless) return listPrinter(asked, options.jq !== undefined)
  const out = printing.isResumed ? afterHalfLine(io.out, halfLineOfStdout()) : io.out
  const format = isArray ? 'ndjson' : asked.format
  return listPrinter(
    await createPrinter({ ...io, out }, { ...options, json: false, output: format }, eventList),
  )
}

function listPrinter(printer: Printer, isGathered = false): EventPrinter {
  const writer = printer.list()
  return { isGathered, print: (event) => writer.push([event]), end: () => writer.end() }
}
