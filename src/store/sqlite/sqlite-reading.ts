import { availableParallelism } from 'node:os'
import type { ReadOptions, Sql, SqlValue, Tx } from '../database.ts'
import { createFairQueue } from '../fair-queue.ts'
import { type SqliteThread, startThread } from './sqlite-thread.ts'
import { rowOf } from './sqlite-transaction.ts'

type ReadingThreads = {
  read<T>(fn: (tx: Tx) => Promise<T>, how: ReadOptions): Promise<T>
  stop(): Promise<void>
}

/** Leaves a core to the serving thread. At least two, and no scope gets all, so a long read never blocks other scopes. */
const threadsAtLeast = 2
const threadsAtMost = 8

/** Starts a thread when no other is free. If one dies, its queries fail, and the next use starts another. */
export function readingThreads(file: string, busyMs: number, readOnly = false): ReadingThreads {
  const capacity = Math.min(Math.max(availableParallelism() - 1, threadsAtLeast), threadsAtMost)
  const queue = createFairQueue({ capacity, capacityOfOne: capacity - 1 })
  const idle: SqliteThread[] = []
  const all = new Set<SqliteThread>()
  const start = async (): Promise<SqliteThread> => {
    const thread = await startThread({ file, busyMs, readOnly, onEnd: () => all.delete(thread) })
    all.add(thread)
    return thread
  }
  return {
    read: (fn, { scope = 0 }) =>
      queue.run(scope, async () => {
        const thread = idle.pop() ?? (await start())
        try {
          return await within(thread, fn)
        } finally {
          if (all.has(thread)) idle.push(thread)
        }
      }),
    async stop() {
      await Promise.all([...all].map((thread) => thread.stop()))
    },
  }
}

async function within<T>(thread: SqliteThread, fn: (tx: Tx) => Promise<T>): Promise<T> {
  thread.hold(true)
  try {
    try {
      await thread.ask('begin')
      return await fn(transactionIn(thread))
    } finally {
      // Nothing was written, so it does not matter whether this commits.
      await thread.ask('rollback')
    }
  } finally {
    thread.hold(false)
  }
}

function transactionIn(thread: SqliteThread): Tx {
  const all = async <R>({ sql: text, values }: Sql): Promise<R[]> => {
    const { names, rows } = await thread.ask({ text, values: values as SqlValue[] })
    return rows.map((row) => rowOf(names, row) as R)
  }
  return {
    dialect: 'sqlite',
    all,
    get: async <R>(query: Sql) => (await all<R>(query))[0],
    run: rejectWrite,
    change: rejectWrite,
    insert: rejectWrite,
  }
}

async function rejectWrite(): Promise<never> {
  throw new Error('a reading thread writes nothing')
}
