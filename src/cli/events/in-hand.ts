import type { LoggedEvent } from './logged-event.ts'

/** Events that were taken from the log, several at once where that is asked for, and how far all before are done. */
export type InHand = {
  /** Begins with an event; resolves when there is room for another. */
  take(logged: LoggedEvent): Promise<void>
  /** An event that nothing is to be done with, or the last of a page. */
  passed(id: string): void
  readonly count: number
  /** Resolves when nothing is going on any more. Throws what ended the work. */
  drain(): Promise<void>
}

type InHandOptions = {
  /**
   * Events that are not passed yet, at most. Done ones count while an earlier one is not: they would come again after a
   * crash.
   */
  most: number
  /** False: it was left undone, because of a stop. */
  work: (logged: LoggedEvent) => Promise<boolean>
  /** Everything up to this event is done. */
  moveTo: (id: string) => void
  /** No more is to be taken: an event has ended the work. */
  halt: () => void
}

type Entry = { id: string; isEvent: boolean; isDone: boolean }

export function createInHand({ most, work, moveTo, halt }: InHandOptions): InHand {
  /** In the order of the log, from the first that is not passed. */
  const entries: Entry[] = []
  const running = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  let isOver = false
  let wake: () => void = () => {}

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
    wake()
  }
  return {
    async take(logged) {
      const entry = { id: logged.event.id, isEvent: true, isDone: false }
      entries.push(entry)
      const going = carryOut(entry, logged)
      running.add(going)
      void going.then(() => running.delete(going))
      while (!isOver && entries.filter(({ isEvent }) => isEvent).length >= most) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
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
