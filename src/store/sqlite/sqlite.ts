import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { runtime, sleep } from '../../runtime/runtime.ts'
import { type Database, StoreError, type Tx } from '../database.ts'
import { createGroupCommit } from './group-commit.ts'
import { type Checkpointer, startCheckpointer } from './sqlite-checkpointer.ts'
import { guarded, sqliteFault } from './sqlite-fault.ts'
import { checkpointPages, openFile, type SqliteOptions } from './sqlite-file.ts'
import { readingThreads } from './sqlite-reading.ts'
import { transactionOn } from './sqlite-transaction.ts'

type Connection = {
  db: DatabaseSync
  tx: Tx
  exclusive: ReturnType<typeof createMutex>
  write: ReturnType<typeof createGroupCommit>
}

const busyMsDefault = 10_000
/** A serving process lets other work run after a read longer than this, in milliseconds. */
const briefMs = 2
/** Work outside scopes takes turns like one more scope; real scopes are numbered from 1. */
const noScope = 0
const busyMsMax = 2 ** 31 - 1
/** A small cache writes changed pages to the log early, so that the commit of a large import has few left. */
const servingWriterMiB = 4
/** Page cache of the lookup connection: a lookup reads a few pages. */
const lookupMiB = 16

/** Separate connections, so no reader sees an unfinished write of this process. Throws `StoreError` if the file is unusable. */
export function openSqlite(file: string, options: SqliteOptions = {}): Database & { file: string } {
  let writer: Connection | undefined
  let reader: Connection | undefined
  let lookup: Connection | undefined
  let checkpointer: Promise<Checkpointer> | undefined
  const busyMs = Math.min(options.busyMs ?? busyMsDefault, busyMsMax)
  const readAside = readingThreads(file, busyMs, options.readOnly)
  const use = usableWhile(file)
  const guard = <T>(task: () => Promise<T>): Promise<T> =>
    guarded(file, () => use.check(task), options.readOnly)
  const single = file === ':memory:'
  const isThreaded = options.serving === true && !single
  const connect = (more: SqliteOptions = {}): Connection => {
    const db = openFile(file, { ...options, ...more })
    const begin = () => beginPatiently(db, 'begin immediate', busyMs)
    const base = { db, tx: transactionOn(db), exclusive: createMutex() }
    const beforeLongCommit = async () => (await checkpointer)?.sync()
    return { ...base, write: createGroupCommit({ ...base, begin, beforeLongCommit }) }
  }
  const writing = (): Connection => {
    if (!writer && isThreaded) {
      checkpointer = startCheckpointer(file, {
        onLongLog: () => void writer?.exclusive(async () => (await checkpointer)?.copy()),
        onDeath: () => writer?.db.exec(`pragma wal_autocheckpoint = ${checkpointPages}`),
      })
    }
    writer ??= connect(options.serving ? { cacheMiB: servingWriterMiB } : {})
    return writer
  }
  const reading = (): Connection => {
    if (single) return writing()
    reader ??= connect()
    return reader
  }
  /** No transaction ever holds this connection, so a lookup never waits and takes no turn. */
  const lookingUp = (): Connection => (lookup ??= connect({ cacheMiB: lookupMiB }))
  return {
    file,
    dialect: 'sqlite',
    read: (fn, how) =>
      guard(() => {
        if (how?.long && isThreaded) return readAside.read(fn, how)
        if (how?.single) return isThreaded ? fn(lookingUp().tx) : alone(reading(), fn)
        return within(reading(), fn, busyMs, isThreaded)
      }),
    write: (fn, { brief = false, lane, scope = lane ?? noScope } = {}) =>
      guard(() => writing().write(fn, { brief, scope })),
    async close() {
      use.end()
      await readAside.stop()
      await (await checkpointer)?.stop()
      for (const connection of [reader, lookup, writer]) connection?.db.close()
      reader = lookup = writer = undefined
    },
  }
}

/** SQLite would continue with a file that was replaced, and its changes would be lost. */
function usableWhile(file: string) {
  let opened: number | undefined
  const number = (): number | undefined => {
    try {
      return statSync(file, { throwIfNoEntry: false })?.ino
    } catch {
      return opened
    }
  }
  let isClosed = false
  return {
    /** Queries after closing are rejected: they would open the file again and keep the process from ending. */
    end(): void {
      isClosed = true
    },
    check<T>(task: () => Promise<T>): Promise<T> {
      if (isClosed) throw new StoreError('unreachable', 'The database is closed.')
      const found = number()
      opened ??= found
      if (opened === found) return task()
      throw new StoreError(
        'refused',
        `${file} was replaced or deleted while it was in use: stop everything that uses it, and delete ${file}-wal and ${file}-shm before you start again.`,
      )
    },
  }
}

/** A single statement is its own snapshot, but must wait until no transaction holds an older one. */
function alone<T>({ tx, exclusive }: Connection, fn: (tx: Tx) => Promise<T>): Promise<T> {
  return exclusive(() => fn(tx))
}

/** While serving, a read that took long lets everything else run before the next waiting read. */
async function within<T>(
  connection: Connection,
  fn: (tx: Tx) => Promise<T>,
  busyMs: number,
  isServing: boolean,
): Promise<T> {
  const { db, tx, exclusive } = connection
  return exclusive(async () => {
    await beginPatiently(db, 'begin', busyMs)
    const began = runtime.uptime()
    try {
      const result = await fn(tx)
      db.exec('commit')
      if (isServing && runtime.uptime() - began > briefMs) await runtime.turn()
      return result
    } catch (error) {
      if (db.isTransaction) db.exec('rollback')
      throw error
    }
  })
}

/** Waits up to `busyMs` for another process that has the file locked, without blocking the event loop. */
async function beginPatiently(db: DatabaseSync, begin: string, busyMs: number): Promise<void> {
  let deadline: number | undefined
  for (let pause = 2; ; pause = Math.min(pause * 2, 50)) {
    try {
      db.exec(begin)
      return
    } catch (error) {
      deadline ??= runtime.uptime() + busyMs
      if (sqliteFault(error) !== 'busy' || runtime.uptime() > deadline) throw error
      await sleep(pause)
    }
  }
}

function createMutex(): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return function exclusive<T>(task: () => Promise<T>): Promise<T> {
    const result = last.then(task, task)
    last = result.then(noop, noop)
    return result
  }
}

function noop(): void {}
