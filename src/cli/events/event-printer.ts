import type { WebhookEvent } from '../../contract/resources/event.ts'
import { createPrinter } from '../output/printer.ts'
import { resourceFields } from '../schema-fields.ts'
import type { Session } from '../session.ts'
import { eventList } from './event-view.ts'

export type EventPrinter = { print(event: WebhookEvent): Promise<void>; end(): Promise<void> }

/** Prints events as they come: a readable line each on a terminal; a list without an end cannot be one JSON array. */
export async function eventPrinter(session: Session, isEndless: boolean): Promise<EventPrinter> {
  const { io, options } = session
  const asked = await session.printer()
  if (asked.format === 'table' && options.columns === undefined) {
    const { eventLine } = await import('./event-line.ts')
    return {
      print: async (event) => io.out.write(eventLine(event, io.out, asked.style)),
      end: async () => {},
    }
  }
  const isArray = asked.format === 'json' && isEndless
  const printer = isArray ? await createPrinter(io, { ...options, json: false, output: 'ndjson' }) : asked
  const writer = printer.list({ ...eventList, fields: () => resourceFields('listEvents') })
  return { print: (event) => writer.push([event]), end: () => writer.end() }
}
