import type { Worker } from 'node:worker_threads'
import type { SqlValue } from '../database.ts'

type Question = { text: string; values: readonly SqlValue[] }
/** No rows for `begin` and `rollback`. */
type Answer = { names: readonly string[]; rows: SqlValue[][] }

/** A read-only connection in another thread, because node:sqlite blocks the thread that runs a query. */
export type SqliteThread = {
  /** Answers in order. After a failure, rejects everything until `rollback`: SQLite may have ended the transaction itself. */
  ask(question: Question | 'begin' | 'rollback'): Promise<Answer>
  /** Sets whether this thread keeps the process alive. */
  hold(isHeld: boolean): void
  stop(): Promise<void>
}

type Given = { file: string; busyMs: number; readOnly: boolean; onEnd: () => void }
type Asked = { resolve: (answer: Answer) => void; reject: (error: unknown) => void }
type Told = { answer: Answer; fault?: { message: string; errcode?: number } }

/** Plain JavaScript: this thread loads none of our modules. Prepares each text once. */
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

/** The database must exist. If the thread dies, its queries fail, and it is not restarted. */
export async function startThread({ onEnd, ...workerData }: Given): Promise<SqliteThread> {
  const { Worker } = await import('node:worker_threads')
  const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 }
  const worker: Worker = new Worker(code, { eval: true, workerData, resourceLimits })
  const asked: Asked[] = []
  let ended: Error | undefined
  worker.on('message', (told: Told) => settle(asked.shift(), told))
  const end = (error: Error): void => {
    ended ??= error
    onEnd()
    for (const { reject } of asked.splice(0)) reject(ended)
  }
  worker.once('error', end)
  worker.once('exit', () => end(new Error('A thread that reads the database has stopped.')))
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        // Post first: a value that cannot be cloned throws here and gets no answer.
        worker.postMessage(question)
        asked.push({ resolve, reject })
      }),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    async stop() {
      if (ended) return
      const over = new Promise((resolve) => worker.once('exit', resolve))
      worker.ref()
      worker.postMessage('stop')
      await over
    },
  }
}

function settle(asked: Asked | undefined, { answer, fault }: Told): void {
  if (fault) asked?.reject(Object.assign(new Error(fault.message), { code: 'ERR_SQLITE_ERROR', ...fault }))
  else asked?.resolve(answer)
}
