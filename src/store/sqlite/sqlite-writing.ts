import { type SqlValue, StoreError, type Tx } from '../database.ts'
import type { Sql } from '../sql.ts'
import { type Answer, type Question, rowsOf, type SqliteThread, startThread } from './sqlite-thread.ts'
import { insertText } from './sqlite-transaction.ts'

/** Statements that go over together: some milliseconds of the thread's. */
const stepsAtOnce = 256
/** Such groups that nobody waits for: the thread always has one to go on with. */
const underWayMax = 2
const endedMessage = 'The thread that writes the database has ended.'

type Rows = ReadonlyArray<readonly SqlValue[]>
type Answers = Question['texts'][number]['answers']

/** Writes that take long, each in a thread of its own. */
type WritingThreads = {
  /** The caller sees to it that this process writes nothing else meanwhile. */
  write<T>(fn: (tx: Tx) => Promise<T>): Promise<T>
  /** Rolls back what is under way; nothing is written afterwards. */
  stop(): Promise<void>
}

/**
 * A transaction in a thread aside: the commit of a large import goes through hundreds of megabytes of the log, and is one
 * call. The thread ends with its transaction: it has megabytes of memory, and starts in a tenth of the time of what is long.
 */
export function writingThreads(file: string, busyMs: number, setup: string): WritingThreads {
  let starting: Promise<SqliteThread> | undefined
  let isStopped = false
  return {
    async write(fn) {
      if (isStopped) throw new Error(endedMessage)
      starting = startThread({ file, busyMs, setup, endedMessage })
      const thread = await starting
      try {
        return await within(thread, fn)
      } finally {
        // What was not committed is rolled back with the end of the connection.
        await thread.stop()
      }
    },
    async stop() {
      // Whoever waited for the one under way begins no other.
      isStopped = true
      await (await starting)?.stop()
    },
  }
}

async function within<T>(thread: SqliteThread, fn: (tx: Tx) => Promise<T>): Promise<T> {
  await thread.ask('begin immediate')
  const line = createLine(thread)
  try {
    const result = await fn(transactionOver(line))
    await line.end()
    await commit(thread)
    return result
  } finally {
    line.end().catch(() => {})
  }
}

/** Where a statement has failed that nobody waited for, this says why. A thread that ends meanwhile leaves open what it did. */
async function commit(thread: SqliteThread): Promise<void> {
  try {
    await thread.ask('commit')
  } catch (error) {
    if (error instanceof Error && 'errcode' in error) throw error
    throw new StoreError('unknown', 'The thread that writes the database ended while it committed.', error)
  }
}

function transactionOver(line: Line): Tx {
  const all = async <R>({ sql, values }: Sql): Promise<R[]> => {
    const [answer] = await line.ask(sql, [values as SqlValue[]], 'rows')
    return rowsOf<R>(answer)
  }
  const changed = async (text: string, rows: readonly SqlValue[][]): Promise<number> => {
    let sum = 0
    for (const answer of await line.ask(text, rows, 'changes')) sum += Number(answer)
    return sum
  }
  return {
    dialect: 'sqlite',
    all,
    get: async <R>(query: Sql) => (await all<R>(query))[0],
    run: ({ sql, values }) => changed(sql, [values as SqlValue[]]),
    change: ({ sql, values }) => line.send(sql, [values as SqlValue[]]),
    async insert(table, columns, rows, skipConflicts = false) {
      const text = insertText(table, columns, skipConflicts)
      if (skipConflicts) return changed(text, rows)
      await line.send(text, rows)
      return rows.length
    },
  }
}

/** Statements one behind the other. What is sent is not waited for: where it fails, whatever is asked next says why. */
type Line = {
  send(text: string, rows: Rows): Promise<void>
  /** What is asked at the same time goes over together. Answers once for each row. */
  ask(text: string, rows: Rows, answers: Answers): Promise<Answer>
  /** Sends what is left; nothing goes over any more. Fails where anything did, also what could not go over at all. */
  end(): Promise<unknown>
}

function createLine(thread: SqliteThread): Line {
  let batch = createBatch()
  let isOver = false
  let done: Promise<unknown> = Promise.resolve()
  const underWay: Array<Promise<Answer>> = []
  const post = (): void => {
    const { question, settle } = batch
    if (question.steps.length === 0) return
    const { answer } = batch
    done = done.then(() => answer)
    done.catch(() => {})
    batch = createBatch()
    settle(thread.ask(question))
  }
  const add = (text: string, rows: Rows, answers: Answers): void => {
    if (isOver) throw new Error('the transaction is over')
    for (const values of rows) batch.add(text, values, answers)
  }
  return {
    async send(text, rows) {
      for (let from = 0; from < rows.length; from += stepsAtOnce) {
        add(text, rows.slice(from, from + stepsAtOnce), 'nothing')
        if (batch.question.steps.length < stepsAtOnce) continue
        underWay.push(batch.answer)
        post()
        if (underWay.length > underWayMax) await underWay.shift()
      }
    },
    async ask(text, rows, answers) {
      if (rows.length === 0) return []
      const { answer, count } = batch
      const from = count()
      add(text, rows, answers)
      queueMicrotask(post)
      return (await answer).slice(from, from + rows.length)
    },
    end() {
      post()
      isOver = true
      return done
    },
  }
}

/** Steps that go over together; `answer` is theirs, and fails where one of them does. */
function createBatch() {
  const question: Question = { texts: [], steps: [], values: [] }
  const places: Record<Answers, Map<string, number>> = {
    rows: new Map(),
    changes: new Map(),
    nothing: new Map(),
  }
  let answering = 0
  const { promise: answer, resolve } = Promise.withResolvers<Answer>()
  answer.catch(() => {})
  return {
    question,
    answer,
    settle: resolve as (answer: Promise<Answer>) => void,
    /** How many of its steps answer. */
    count: () => answering,
    add(text: string, values: readonly SqlValue[], answers: Answers): void {
      let place = places[answers].get(text)
      if (place === undefined) {
        place = question.texts.push({ text, values: values.length, answers }) - 1
        places[answers].set(text, place)
      }
      question.steps.push(place)
      for (const value of values) question.values.push(value)
      if (answers !== 'nothing') answering += 1
    },
  }
}
