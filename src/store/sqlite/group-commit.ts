import type { DatabaseSync } from 'node:sqlite'
import { runtime } from '../../runtime/runtime.ts'
import { lending, type Tx } from '../database.ts'
import { createTurns, type Turns } from '../turns.ts'

/** `brief`: it may share its commit with others. `scope`: whose it is; scopes take turns. */
type How = { brief: boolean; scope: number }
/** A transaction that waits for its turn. */
type Waiting = How & {
  run: (tx: Tx) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}
type Done = { waiting: Waiting; value: unknown }

type Writer = {
  db: DatabaseSync
  tx: Tx
  /** Resolves once the database's transaction is open. */
  begin: () => Promise<void>
  /** Work to do before committing a transaction that took long, so that the commit itself is short. */
  beforeLongCommit: () => Promise<void>
  /** Runs a task while nothing else uses the connection. */
  exclusive: <T>(task: () => Promise<T>) => Promise<T>
}

const groupMax = 32
/** A group accepts no more after so many milliseconds, because its first member waits for the commit. */
const groupMs = 20
/** A transaction that took so many milliseconds has written thousands of pages. */
const longMs = 200

/**
 * Runs transactions one after the other, in fair turns between scopes and in the order of asking within one; brief ones that
 * wait at the same time share one commit, and so one wait for the disk. Each is whole by itself: one that throws is rolled
 * back alone, and none is answered before what it did is durable. Where the commit fails, every one of the group fails.
 */
export function createGroupCommit(writer: Writer): <T>(run: (tx: Tx) => Promise<T>, how: How) => Promise<T> {
  const turns = createTurns<Waiting>()
  let isRunning = false
  const runAll = async (): Promise<void> => {
    isRunning = true
    while (turns.waiting > 0) {
      // A turn of the event loop: what has come in meanwhile is asked too whose turn it is, and joins the group.
      await runtime.turn()
      await writer.exclusive(() => runNext(writer, turns))
    }
    isRunning = false
  }
  return <T>(run: (tx: Tx) => Promise<T>, how: How) =>
    new Promise<T>((resolve, reject) => {
      turns.add(how.scope, { ...how, run, resolve: resolve as (value: unknown) => void, reject })
      if (!isRunning) void runAll()
    })
}

/** Runs the one whose turn it is, with the others that may share its commit. */
async function runNext(writer: Writer, turns: Turns<Waiting>): Promise<void> {
  const group = takeGroup(turns)
  const { db } = writer
  const began = runtime.uptime()
  try {
    await writer.begin()
    const done = await runGroup(writer, turns, group)
    if (runtime.uptime() - began > longMs) await writer.beforeLongCommit()
    if (db.isTransaction) db.exec(done.length > 0 ? 'commit' : 'rollback')
    for (const { waiting, value } of done) waiting.resolve(value)
  } catch (error) {
    for (const waiting of group) waiting.reject(error)
    rollBack(db)
  }
  const each = (runtime.uptime() - began) / group.length
  for (const { scope } of group) turns.charge(scope, each)
}

/** What fails here too fails the next one at its `begin`, which is told so: the others behind it are not left waiting. */
function rollBack(db: DatabaseSync): void {
  try {
    // Closed meanwhile: what waits behind it is told so too.
    if (db.isOpen && db.isTransaction) db.exec('rollback')
  } catch {}
}

function takeGroup(turns: Turns<Waiting>): Waiting[] {
  const group: Waiting[] = []
  for (let next = turns.take(); next; next = turns.take(({ brief }) => brief)) {
    group.push(next.item)
    if (!next.item.brief || group.length === groupMax) break
  }
  return group
}

/** Each behind a savepoint of its own, but for one alone. Those that the group has no time for wait for their turn again. */
async function runGroup({ db, tx }: Writer, turns: Turns<Waiting>, group: Waiting[]): Promise<Done[]> {
  const done: Done[] = []
  const until = runtime.uptime() + groupMs
  const isAlone = group.length === 1
  for (const [at, waiting] of group.entries()) {
    try {
      if (!isAlone) db.exec('savepoint one')
      const value = await lending(tx, waiting.run)
      if (!isAlone) db.exec('release one')
      done.push({ waiting, value })
    } catch (error) {
      waiting.reject(error)
      if (isAlone) break
      if (db.isTransaction) db.exec('rollback to one; release one')
      // SQLite itself has rolled everything back (the disk is full): what the others did is gone too.
      else for (const lost of done.splice(0)) lost.waiting.reject(error)
    }
    if (db.isTransaction && (done.length === 0 || runtime.uptime() < until)) continue
    for (const rest of group.splice(at + 1).reverse()) turns.putBack(rest.scope, rest)
  }
  return done
}
