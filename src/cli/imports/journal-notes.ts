import { type JournalChunk, type JournalHead, keepJournal, noteInJournal, startJournal } from './journal.ts'

/** What a run notes while it sends. */
export type JournalNotes = {
  /** `isNew`: the target carried it out just now, and did not have its result already. */
  chunk(line: JournalChunk, isNew: boolean): void
  end(now: number, errorsFile: string | undefined): void
}

/** Notes that go on with the journal that is there. */
export function notesInJournal(path: string): JournalNotes {
  return {
    chunk: (line) => noteInJournal(path, line),
    end(now, errorsFile) {
      const more = errorsFile === undefined ? {} : { errors_file: errorsFile }
      noteInJournal(path, { done: true, ended_at: new Date(now).toISOString(), ...more })
    },
  }
}

/**
 * Notes of a run that expects the results of an earlier one, whose journal stays as it is: when that was must not be
 * forgotten. A chunk that the target did not know after all begins the journal anew.
 */
export function notesOverJournal(
  path: string,
  head: JournalHead,
  earlier: readonly JournalChunk[],
): JournalNotes {
  const held: JournalChunk[] = []
  let notes: JournalNotes | undefined
  return {
    chunk(line, isNew) {
      if (isNew && notes === undefined) {
        startJournal(path, head, held)
        notes = notesInJournal(path)
      }
      if (notes !== undefined) return notes.chunk(line, isNew)
      const at = earlier[line.chunk - 1]?.at
      held.push(at === undefined ? line : { ...line, at })
    },
    end(now, errorsFile) {
      if (notes === undefined) keepJournal(path, now)
      else notes.end(now, errorsFile)
    },
  }
}
