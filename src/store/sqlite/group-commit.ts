import type { DatabaseSync } from 'node:sqlite'
import { runtime } from '../../runtime/runtime.ts'
import { lending, type Tx } from '../database.ts'
import { createTurns, type Turns } from '../turns.ts'

/** `brief`: it may share its commit with others. `scope`: the scope whose turn it takes. */
type How = { brief: boolean; scope: number }
type Waiting = How & {
  run: (tx: Tx) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}
type Done = { waiting: Waiting; value: unknown }

type Writer = {
  db: DatabaseSync
  tx: Tx
  begin: () => Promise<void>
  /** Runs before the commit of a long transaction, so that the commit itself is short. */
  beforeLongCommit: () => Promise<void>
  /** Runs a task while nothing else uses the connection. */
  exclusive: <T>(task: () => Promise<T>) => Promise<T>
}

const groupMax = 32
/** A group runs no further transaction after this many milliseconds, because its first member waits for the commit. */
const groupMs = 20
/** A transaction that took this many milliseconds has written thousands of pages. */
const longMs = 200

/**
 * Runs transactions one by one, in fair turns between scopes. Brief ones that wait together share one commit, and so one wait for
 * the disk. One that throws is rolled back alone; none is answered before it is durable; a failed commit fails the whole group.
 */
export function createGroupCommit(writer: Writer): <T>(run: (tx: Tx) => Promise<T>, how: How) => Promise<T> {
  const turns = createTurns<Waiting>()
  let isRunning = false
  const runAll = async (): Promise<void> => {
    isRunning = true
    while (turns.waiting > 0) {
      // Yields to the event loop, so that what has just arrived competes for the turn and can join the group.
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

/** Ignores errors, so that later transactions are not stuck: the next `begin` fails too and reports the error. */
function rollBack(db: DatabaseSync): void {
  try {
    // The database may have been closed meanwhile.
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

/** Each transaction gets a savepoint, unless it is alone. Those the group has no time for go back in line. */
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
      // SQLite has rolled back everything itself (full disk), including the others' changes.
      else for (const lost of done.splice(0)) lost.waiting.reject(error)
    }
    if (db.isTransaction && (done.length === 0 || runtime.uptime() < until)) continue
    for (const rest of group.splice(at + 1).reverse()) turns.putBack(rest.scope, rest)
  }
  return done
}
