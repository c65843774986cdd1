import type { LoggedEvent } from './event-pages.ts'

/** Tracks events in progress, and the point in the log up to which all are done. */
export type InFlight = {
  /** Starts work on an event; resolves when there is room for another. */
  take(logged: LoggedEvent): Promise<void>
  /** Marks an event that needs no work, or the last of a page, as done. */
  passed(id: string): void
  readonly count: number
  /** Resolves when no work is under way. Throws the error that ended the work. */
  drain(): Promise<void>
}

type InFlightOptions = {
  /** Maximum events in progress. Includes done ones behind an unfinished one, since a crash would repeat those. */
  most: number
  /** Returns false if a stop left the event undone. */
  work: (logged: LoggedEvent) => Promise<boolean>
  moveTo: (id: string) => void
  halt: () => void
}

type Entry = { id: string; isEvent: boolean; isDone: boolean }

export function createInFlight({ most, work, moveTo, halt }: InFlightOptions): InFlight {
  /** In log order, starting at the first that is not passed. */
  const entries: Entry[] = []
  const running = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  let isOver = false

  const advance = (): void => {
    let last: string | undefined
    while (entries[0]?.isDone) last = entries.shift()?.id
    if (last !== undefined) moveTo(last)
  }
  const carryOut = async (entry: Entry, logged: LoggedEvent): Promise<void> => {
    try {
      entry.isDone = await work(logged)
      if (entry.isDone) advance()
      else isOver = true
    } catch (error) {
      failure ??= { error }
      isOver = true
      halt()
    }
  }
  return {
    async take(logged) {
      const entry = { id: logged.event.id, isEvent: true, isDone: false }
      entries.push(entry)
      const going = carryOut(entry, logged)
      running.add(going)
      void going.then(() => running.delete(going))
      while (!isOver && entries.filter(({ isEvent }) => isEvent).length >= most) await Promise.race(running)
    },
    passed(id) {
      entries.push({ id, isEvent: false, isDone: true })
      advance()
    },
    get count() {
      return running.size
    },
    async drain() {
      await Promise.all(running)
      if (failure !== undefined) throw failure.error
    },
  }
}
