import type { SqlValue, Tx } from '../database.ts'
import type { Sql } from '../sql.ts'
import { createMutex } from './mutex.ts'
import { rowsOf, type SqliteThread, startThread } from './sqlite-thread.ts'

/** Reads that take long, one at a time, in a thread aside. */
type ReadingThread = {
  read<T>(fn: (tx: Tx) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const setup = 'pragma query_only = on; pragma temp_store = memory; pragma cache_size = -32768'

/** Starts the thread on its first use. One that dies fails what it was asked; the next use starts another. */
export function readingThread(file: string, busyMs: number): ReadingThread {
  const exclusive = createMutex()
  let thread: SqliteThread | undefined
  const started = async (): Promise<SqliteThread> => {
    thread ??= await startThread({
      file,
      busyMs,
      setup,
      endedMessage: 'The thread that reads the database has ended.',
      onEnd: () => {
        thread = undefined
      },
    })
    return thread
  }
  return {
    read: (fn) => exclusive(async () => within(await started(), fn)),
    stop: async () => thread?.stop(),
  }
}

async function within<T>(thread: SqliteThread, fn: (tx: Tx) => Promise<T>): Promise<T> {
  thread.hold(true)
  try {
    try {
      await thread.ask('begin')
      return await fn(transactionIn(thread))
    } finally {
      // Nothing was written: whether it is committed or not is the same.
      await thread.ask('rollback')
    }
  } finally {
    thread.hold(false)
  }
}

function transactionIn(thread: SqliteThread): Tx {
  const all = async <R>({ sql: text, values }: Sql): Promise<R[]> => {
    const texts = [{ text, values: values.length, answers: 'rows' as const }]
    const [answer] = await thread.ask({ texts, steps: [0], values: values as SqlValue[] })
    return rowsOf<R>(answer)
  }
  return {
    dialect: 'sqlite',
    all,
    get: async <R>(query: Sql) => (await all<R>(query))[0],
    run: refuseWrite,
    change: refuseWrite,
    insert: refuseWrite,
  }
}

async function refuseWrite(): Promise<never> {
  throw new Error('a reading thread writes nothing')
}
