import { resolve } from 'node:path'
import { StoreError } from '../../store/database.ts'
import { type Mirror, mirroredEvents, openMirror, type QueryResult, queryMirror } from '../../store/mirror.ts'
import { sqliteFault } from '../../store/sqlite/sqlite-fault.ts'
import { CliError, usage } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'

export const mirrorDefault = 'custody-mirror.db'

/** Creates a missing mirror. Throws `CliError`. */
export function mirrorOf({ cwd }: Io, file: string, target: string): Mirror {
  return inMirrorWords(file, () => openMirror(resolve(cwd, file), target), true)
}

export function mirrorRows({ cwd }: Io, file: string, query: string): QueryResult {
  const result = inMirrorWords(file, () => queryMirror(resolve(cwd, file), query))
  return { ...result, rows: eachReported(file, result.rows) }
}

/** In log order, as the service sent them. */
export function mirroredLog({ cwd }: Io, file: string): Generator<string> {
  return eachReported(file, mirroredEvents(resolve(cwd, file)))
}

function* eachReported<T>(file: string, rows: Iterable<T>): Generator<T> {
  const iterator = rows[Symbol.iterator]()
  for (;;) {
    const next = inMirrorWords(file, () => iterator.next())
    if (next.done) return
    yield next.value
  }
}

/** Throws SQLite's faults as `CliError`, with the tool's messages. */
export function inMirrorWords<T>(file: string, task: () => T, isWriting = false): T {
  try {
    return task()
  } catch (error) {
    if (error instanceof StoreError) throw new CliError(isWriting ? 'invalid' : 'usage', error.message)
    const fault = sqliteFault(error)
    if (fault === 'not_found' && isWriting)
      throw new CliError('unreachable', `Cannot open ${file}: its folder is missing or cannot be written.`)
    if (fault === 'not_found')
      throw new CliError('not_found', `There is no mirror ${file}.`, {
        hint: `Create it with: custody sync ${file}`,
      })
    if (fault === 'not_a_database') throw new CliError('invalid', `${file} is not a SQLite database.`)
    if (fault === 'read_only' && !isWriting) throw usage('Only queries are allowed: a mirror is read-only.')
    if (fault === 'busy') throw new CliError('conflict', `Another process is writing to ${file}. Try again.`)
    if (fault !== undefined)
      throw new CliError('unreachable', `Cannot use ${file}: ${(error as Error).message}.`)
    if ((error as NodeJS.ErrnoException).code === 'ERR_OUT_OF_RANGE')
      throw usage('The query returns an integer of more than 53 bits.', 'Return it as text: cast(… as text)')
    if (error instanceof Error && 'errcode' in error) throw usage(`SQLite: ${error.message}.`)
    throw error
  }
}
