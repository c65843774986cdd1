import type { Worker } from 'node:worker_threads'
import type { SqlValue, Tx } from './database.ts'
import { createMutex } from './mutex.ts'
import type { Sql } from './sql.ts'
import { rowOf } from './sqlite-transaction.ts'

/** Reads that take long, one at a time, in a thread aside: node:sqlite answers in the thread that asks, which then does nothing else. */
export type ReadingThread = {
  read<T>(fn: (tx: Tx) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

type Answer = { names: readonly string[]; rows: SqlValue[][]; fault?: { message: string; errcode?: number } }
type Asked = { resolve: (answer: Answer) => void; reject: (error: unknown) => void }
type Thread = { worker: Worker; asked: Asked[]; ended?: Error }

/** Plain JavaScript: the thread loads nothing of ours. Statements are prepared once for each text. */
const code = `
const { parentPort, workerData } = require('node:worker_threads')
const { DatabaseSync } = require('node:sqlite')
const db = new DatabaseSync(workerData.file, { timeout: workerData.busyMs })
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
function answer({ text, values }) {
  if (!values) return db.exec(text)
  const { statement, names } = prepare(text)
  return { names, rows: statement.all(...values) }
}
parentPort.on('message', (question) => {
  if (question === 'stop') {
    db.close()
    parentPort.close()
    return
  }
  try {
    parentPort.postMessage(answer(question) ?? {})
  } catch ({ message, errcode }) {
    parentPort.postMessage({ fault: { message, errcode } })
  }
})
`

/** Starts the thread on its first use. One that dies fails what it was asked; the next use starts another. */
export function readingThread(file: string, busyMs: number): ReadingThread {
  const exclusive = createMutex()
  let thread: Thread | undefined
  const started = async (): Promise<Thread> => {
    thread ??= await startThread(file, busyMs, () => {
      thread = undefined
    })
    return thread
  }
  return {
    read: (fn) => exclusive(async () => within(await started(), fn)),
    async stop() {
      if (!thread) return
      const { worker } = thread
      const over = new Promise((resolve) => worker.once('exit', resolve))
      worker.ref()
      worker.postMessage('stop')
      await over
    },
  }
}

async function startThread(file: string, busyMs: number, onEnd: () => void): Promise<Thread> {
  const { Worker } = await import('node:worker_threads')
  const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 }
  const worker = new Worker(code, { eval: true, workerData: { file, busyMs }, resourceLimits })
  const thread: Thread = { worker, asked: [] }
  worker.unref()
  worker.on('message', (answer: Answer) => thread.asked.shift()?.resolve(answer))
  const end = (error: Error): void => {
    thread.ended ??= error
    onEnd()
    for (const { reject } of thread.asked.splice(0)) reject(thread.ended)
  }
  worker.once('error', end)
  worker.once('exit', () => end(new Error('The thread that reads the database has ended.')))
  return thread
}

async function within<T>(thread: Thread, fn: (tx: Tx) => Promise<T>): Promise<T> {
  thread.worker.ref()
  try {
    await ask(thread, 'begin')
    try {
      return await fn(transactionIn(thread))
    } finally {
      // Nothing was written: whether it is committed or not is the same.
      await ask(thread, 'rollback')
    }
  } finally {
    thread.worker.unref()
  }
}

function transactionIn(thread: Thread): Tx {
  const all = async <R>({ sql, values }: Sql): Promise<R[]> => {
    const { names, rows } = await ask(thread, sql, values as SqlValue[])
    return rows.map((row) => rowOf(names, row) as R)
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

/** Answers come in the order of the questions. */
async function ask(thread: Thread, text: string, values?: readonly SqlValue[]): Promise<Answer> {
  const { worker, asked, ended } = thread
  if (ended) throw ended
  const answer = await new Promise<Answer>((resolve, reject) => {
    asked.push({ resolve, reject })
    worker.postMessage({ text, values })
  })
  const { fault } = answer
  if (fault)
    throw Object.assign(new Error(fault.message), { code: 'ERR_SQLITE_ERROR', errcode: fault.errcode })
  return answer
}
