import { dirname } from 'node:path'
import { lockFile } from '../../../store/sqlite/file-lock.ts'
import { CliError } from '../../base/cli-error.ts'
import { makeFolder } from '../../base/durable-file.ts'
import { unkept } from './kept-file.ts'

/**
 * Keeps a second run of the same import out while this one goes on: two would write into one journal and one errors
 * file. Answers what ends it. Throws `conflict`, and `unreachable` where nothing can be kept there.
 */
export function lockImport(journal: string, file: string): () => void {
  const unlock = lockOf(journal)
  if (unlock !== undefined) return unlock
  throw new CliError('conflict', `${file} is being imported by another process already.`, {
    hint: 'Wait for it to end.',
  })
}

/** The same of any journal, whatever its key; undefined while its import goes on. */
export function lockOf(journal: string): (() => void) | undefined {
  try {
    makeFolder(dirname(journal))
    // Not the name that an older custody kept a process number under.
    return lockFile(journal.replace(/(?:-[0-9a-f]{12})?\.jsonl$/, '.lock'))
  } catch (error) {
    throw unkept(dirname(journal), error)
  }
}
