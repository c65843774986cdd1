import type { LoggedEvent } from './logged-event.ts'

/** Events taken from the log, several at once if asked for, and up to where all of them are done. */
export type InHand = {
  /** Starts work on an event; resolves when there is room for another. */
  take(logged: LoggedEvent): Promise<void>
  /** An event that needs no work, or the last of a page. */
  passed(id: string): void
  readonly count: number
  /** Resolves when no work is under way. Throws what ended the work. */
  drain(): Promise<void>
}

type InHandOptions = {
  /**
   * Events that are not passed yet, at most. Done ones count while an earlier one is not: they would come again after a
   * crash.
   */
  most: number
  /** Answers false if the event was left undone because of a stop. */
  work: (logged: LoggedEvent) => Promise<boolean>
  /** Everything up to this event is done. */
  moveTo: (id: string) => void
  /** Called when an event has ended the work: no more are taken. */
  halt: () => void
}

type Entry = { id: string; isEvent: boolean; isDone: boolean }

export function createInHand({ most, work, moveTo, halt }: InHandOptions): InHand {
  /** In the order of the log, from the first that is not passed. */
  const entries: Entry[] = []
  const running = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  let isOver = false
  let change = Promise.withResolvers<void>()

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
    change.resolve()
  }
  return {
    async take(logged) {
      const entry = { id: logged.event.id, isEvent: true, isDone: false }
      entries.push(entry)
      const going = carryOut(entry, logged)
      running.add(going)
      void going.then(() => running.delete(going))
      while (!isOver && entries.filter(({ isEvent }) => isEvent).length >= most) {
        change = Promise.withResolvers()
        await change.promise
      }
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
