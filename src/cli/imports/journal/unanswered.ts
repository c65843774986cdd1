import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CliError } from '../../base/cli-error.ts'
import { namesIn } from '../../base/drafts.ts'
import { moveFile, ownerOnly, replaceFile } from '../../base/durable-file.ts'
import { faultText } from '../../base/system-fault.ts'
import { type JournalHead, unansweredEnding } from './journal.ts'

/** A chunk of orders that was sent, just as it was, while nobody has noted its answer. */
export type Unanswered = UnansweredHead & { upload: Buffer }

/** `head`: its journal's, which may be on its way to another name. `at`: when it was sent; left out where nobody knows. */
type UnansweredHead = { head: JournalHead; chunk: number; key: string; at?: string }

/** Beside its journal. */
function fileOf(journal: string): string {
  return journal.replace(/\.jsonl$/, unansweredEnding)
}

/** The journals of which something is kept. */
export function journalsWithUnanswered(folder: string): string[] {
  return namesIn(folder)
    .filter((name) => name.endsWith(unansweredEnding))
    .map((name) => join(folder, name.replace(unansweredEnding, '.jsonl')))
}

/**
 * Keeps a chunk before it is sent; one that an earlier run has sent stays as it is, since when is what counts. Answers what
 * forgets it again where it was not kept before. Throws `unreachable` where it cannot be kept: then it is not sent.
 */
export function keepUnanswered(journal: string, about: UnansweredHead & { upload: Uint8Array }): () => void {
  if (readUnanswered(journal)?.key === about.key) return () => {}
  try {
    write(journal, about)
    return () => forgetUnanswered(journal)
  } catch (error) {
    throw new CliError(
      'unreachable',
      `${dirname(journal)} cannot be written: ${faultText(error)}. Nothing more was sent.`,
      { hint: 'What is sent is kept there until its answer is, so that nothing is ordered twice.' },
    )
  }
}

function write(journal: string, { upload, ...about }: UnansweredHead & { upload: Uint8Array }): void {
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), upload])
  replaceFile(fileOf(journal), bytes, ownerOnly)
}

/** Undefined where all that was sent is answered. */
export function readUnanswered(journal: string): Unanswered | undefined {
  try {
    const bytes = readFileSync(fileOf(journal))
    const end = bytes.indexOf(10)
    return { ...JSON.parse(bytes.toString('utf8', 0, end)), upload: bytes.subarray(end + 1) }
  } catch {
    return undefined
  }
}

/** It was sent by a clock that was ahead: when that was is not known, now nor when the time has come. Throws nothing. */
export function undate(journal: string, { head, chunk, key, upload }: Unanswered): void {
  try {
    write(journal, { head, chunk, key, upload })
  } catch {}
}

/** Gives it another journal's name, as of another key. What is kept there already stays: it was sent since. */
export function moveUnanswered(journal: string, own: string): void {
  if (existsSync(fileOf(journal)) && !existsSync(fileOf(own))) moveFile(fileOf(journal), fileOf(own))
}

/** Its answer is noted. One that cannot be removed is told by the journal. */
export function forgetUnanswered(journal: string): void {
  try {
    rmSync(fileOf(journal), { force: true })
  } catch {}
}
