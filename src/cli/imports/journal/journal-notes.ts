import { dirname } from 'node:path'
import { faultText } from '../../base/system-fault.ts'
import {
  type JournalChunk,
  type JournalHead,
  type JournalNote,
  noteInJournal,
  startJournal,
} from './journal.ts'
import { keepLonger } from './kept-file.ts'
import { forgetUnanswered, keepUnanswered } from './unanswered.ts'

/** What a run notes while it sends. Rows that are carried out stay so: what cannot be noted is told, and tried again. */
export type JournalNotes = {
  /** A chunk of orders that is about to be sent. Answers what takes that back. Throws `unreachable` where it cannot be kept. */
  sending(chunk: Parameters<typeof keepUnanswered>[1]): () => void
  /** `isNew`: the target carried it out just now, and did not have its result already. */
  chunk(line: JournalChunk, isNew: boolean): void
  end(now: number, errorsFile: string | undefined): void
  /** It is not gone on with. */
  giveUp(): void
}

/** Notes that go on with the journal that is there, or that `begin` makes with the first of them. */
export function notesInJournal(
  path: string,
  notice: (text: string) => void,
  begin: () => void = () => {},
): JournalNotes {
  let pending: JournalNote[] = []
  let isBegun = false
  let isTold = false
  const note = (line: JournalNote): void => {
    pending.push(line)
    try {
      if (!isBegun) begin()
      isBegun = true
      noteInJournal(path, ...pending)
      pending = []
      forgetUnanswered(path)
    } catch (error) {
      if (!isTold) notice(unnoted(path, error))
      isTold = true
    }
  }
  return {
    sending: (chunk) => keepUnanswered(path, chunk),
    chunk: note,
    end(now, errorsFile) {
      const more = errorsFile === undefined ? {} : { errors_file: errorsFile }
      note({ done: true, ended_at: new Date(now).toISOString(), ...more })
    },
    giveUp: () => note({ given_up: true }),
  }
}

/** Of what was carried out and cannot be remembered here: the target's stored results answer for it, not for ever. */
export function unnoted(path: string, error: unknown): string {
  return `Warning: ${dirname(path)} cannot be written (${faultText(error)}): what was sent is not remembered there. The same again within 20 hours does nothing twice; later it would.`
}

/**
 * Notes of a run that expects the results of an earlier one, whose journal stays as it is: when that was must not be
 * forgotten. A chunk that the target did not know after all begins the journal anew.
 */
export function notesOverJournal(
  path: string,
  head: JournalHead,
  earlier: readonly JournalChunk[],
  notice: (text: string) => void,
): JournalNotes {
  const held: JournalChunk[] = []
  let notes: JournalNotes | undefined
  return {
    sending: (chunk) => keepUnanswered(path, chunk),
    chunk(line, isNew) {
      if (isNew) notes ??= notesInJournal(path, notice, () => startJournal(path, head, held))
      if (notes !== undefined) return notes.chunk(line, isNew)
      const at = earlier[line.chunk - 1]?.at
      held.push(at === undefined ? line : { ...line, at })
      forgetUnanswered(path)
    },
    end(now, errorsFile) {
      if (notes === undefined) keepLonger(path, now)
      else notes.end(now, errorsFile)
    },
    giveUp() {
      notes ??= notesInJournal(path, notice)
      notes.giveUp()
    },
  }
}
