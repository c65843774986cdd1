import { availableParallelism } from 'node:os'
import { type ReadOptions, type Sql, type SqlValue, type Tx, transactionOver } from '../database.ts'
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
  const idle: ReadingThread[] = []
  const all = new Set<ReadingThread>()
  const start = async (): Promise<ReadingThread> => {
    const thread: ReadingThread = await startThread(code, {
      workerData: { file, busyMs, readOnly },
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
      onEnd: () => all.delete(thread),
    })
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

async function within<T>(thread: ReadingThread, fn: (tx: Tx) => Promise<T>): Promise<T> {
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

function transactionIn(thread: ReadingThread): Tx {
  const all = async <R>({ sql: text, values }: Sql): Promise<R[]> => {
    const { names, rows } = await thread.ask({ text, values: values as SqlValue[] })
    return rows.map((row) => rowOf(names, row) as R)
  }
  return transactionOver({
    dialect: 'sqlite',
    all,
    get: async <R>(query: Sql) => (await all<R>(query))[0],
    run: rejectWrite,
    change: rejectWrite,
    insert: rejectWrite,
  })
}

async function rejectWrite(): Promise<never> {
  throw new Error('a reading thread writes nothing')
}

type Question = { text: string; values: readonly SqlValue[] }
/** No rows for `begin` and `rollback`. */
type Answer = { names: readonly string[]; rows: SqlValue[][] }

/** After a failure, rejects everything until `rollback`: SQLite may have ended the transaction itself. */
type ReadingThread = SqliteThread<Question | 'begin' | 'rollback', Answer>

/** Prepares each text once. */
const code = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const db = new DatabaseSync(workerData.file, { timeout: workerData.busyMs, readOnly: workerData.readOnly })
db.exec('pragma query_only = on; pragma temp_store = memory; pragma cache_size = -32768')
const prepared = new Map()
function prepare(text) {
  const found = prepared.get(text)
  if (found) return found
  const statement = db.prepare(text)
  statement.setReturnArrays(true)
  const made = { statement, names: statement.columns().map(({ name }) => name) }
  if (prepared.size < 200) prepared.set(text, made)
  return made
}
function answerOf(question) {
  if (question === 'rollback' && !db.isTransaction) return { names: [], rows: [] }
  if (typeof question === 'string') {
    db.exec(question)
    return { names: [], rows: [] }
  }
  const { statement, names } = prepare(question.text)
  return { names, rows: statement.all(...question.values) }
}
let fault
parentPort.on('message', (question) => {
  if (question === 'stop') {
    db.close()
    parentPort.close()
    return
  }
  if (question === 'rollback') fault = undefined
  if (fault) return parentPort.postMessage({ fault })
  try {
    parentPort.postMessage({ answer: answerOf(question) })
  } catch ({ message, errcode }) {
    fault = { message, errcode }
    parentPort.postMessage({ fault })
  }
})
`
