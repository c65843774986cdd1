import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { Tx, WriteOptions } from '../database.ts'

/** `brief`: it may share its commit with others. `long`: it may run where it keeps nobody waiting (`writeAside`). */
type Length = Pick<WriteOptions, 'brief' | 'long'>
/** A transaction that waits for its turn. */
type Waiting = {
  run: (tx: Tx) => Promise<unknown>
  length: Length
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}
type Done = { waiting: Waiting; value: unknown }

type Writer = {
  db: DatabaseSync
  tx: Tx
  /** Resolves once the database's transaction is open. */
  begin: () => Promise<void>
  /** What can be done before a transaction is committed that took long, so that the commit itself does not. */
  beforeLongCommit: () => Promise<void>
  /** Runs a task while nothing else uses the connection. */
  exclusive: <T>(task: () => Promise<T>) => Promise<T>
  /** Runs a whole transaction elsewhere; left out where there is nowhere else. */
  writeAside: (<T>(run: (tx: Tx) => Promise<T>) => Promise<T>) | undefined
}

const groupMax = 32
/** A group takes no more in after so many milliseconds: who was first waits for the commit. */
const groupMs = 20
/** A transaction that took so many milliseconds has written thousands of pages. */
const longMs = 200

/**
 * Runs transactions one after the other, in the order of asking; brief ones that wait at the same time share one commit, and
 * so one wait for the disk. Each is whole by itself: one that throws is rolled back alone, and none is answered before what
 * it did is durable. Where the commit fails, every one of the group fails.
 */
export function createGroupCommit(
  writer: Writer,
): <T>(run: (tx: Tx) => Promise<T>, length: Length) => Promise<T> {
  const queue: Waiting[] = []
  let isRunning = false
  const runAll = async (): Promise<void> => {
    isRunning = true
    while (queue.length > 0) {
      // A turn of the event loop: requests that have come in meanwhile join the group.
      if (queue[0]?.length.brief) await setImmediate()
      const { writeAside } = queue[0]?.length.long ? writer : {}
      await writer.exclusive(() =>
        writeAside ? runAside(writeAside, queue.shift()!) : runNext(writer, queue),
      )
    }
    isRunning = false
  }
  return <T>(run: (tx: Tx) => Promise<T>, length: Length) =>
    new Promise<T>((resolve, reject) => {
      queue.push({ run, length, resolve: resolve as (value: unknown) => void, reject })
      if (!isRunning) void runAll()
    })
}

async function runAside(writeAside: NonNullable<Writer['writeAside']>, waiting: Waiting): Promise<void> {
  await writeAside(waiting.run).then(waiting.resolve, waiting.reject)
}

/** Runs the first that waits, with the others that may share its commit. */
async function runNext(writer: Writer, queue: Waiting[]): Promise<void> {
  const group = [queue.shift()!]
  if (group[0]!.length.brief)
    while (group.length < groupMax && queue[0]?.length.brief) group.push(queue.shift()!)
  const taken = [...group]
  const { db } = writer
  const began = performance.now()
  try {
    await writer.begin()
    const done = group.length === 1 ? await runOne(writer, group[0]!) : await runGroup(writer, group, queue)
    if (performance.now() - began > longMs) await writer.beforeLongCommit()
    if (db.isTransaction) db.exec(done.length > 0 ? 'commit' : 'rollback')
    for (const { waiting, value } of done) waiting.resolve(value)
  } catch (error) {
    for (const waiting of taken) if (!queue.includes(waiting)) waiting.reject(error)
    // Closed meanwhile: what waits behind it is told so too.
    if (db.isOpen && db.isTransaction) db.exec('rollback')
  }
}

async function runOne({ tx }: Writer, waiting: Waiting): Promise<Done[]> {
  try {
    return [{ waiting, value: await waiting.run(tx) }]
  } catch (error) {
    waiting.reject(error)
    return []
  }
}

/** Each behind a savepoint of its own. Those that the group has no time for go back to the head of the queue. */
async function runGroup({ db, tx }: Writer, group: Waiting[], queue: Waiting[]): Promise<Done[]> {
  const done: Done[] = []
  const until = performance.now() + groupMs
  while (group.length > 0 && (done.length === 0 || performance.now() < until)) {
    const waiting = group.shift()!
    try {
      db.exec('savepoint one')
      const value = await waiting.run(tx)
      db.exec('release one')
      done.push({ waiting, value })
    } catch (error) {
      waiting.reject(error)
      if (db.isTransaction) db.exec('rollback to one; release one')
      // SQLite itself has rolled everything back (the disk is full): what the others did is gone too.
      else for (const lost of done.splice(0)) lost.waiting.reject(error)
      if (!db.isTransaction) break
    }
  }
  queue.unshift(...group)
  return done
}
