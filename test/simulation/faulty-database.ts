import { type Database, StoreError, type Tx, transactionOver } from '../../src/store/database.ts'
import type { Process, Scheduler } from './scheduler.ts'
import type { FaultRates } from './story.ts'

const sqliteInOut = 10
const sqliteCorrupt = 11
/** Long enough for a second check: damage found twice is read from end to end, a wait that no process owns. */
const sparedSteps = 5_000
const sparedMs = 60_000
/** Of the reads: others write between two statements of one, which must not see those writes. */
const slowReads = 0.3
const slowReadMs = 500
/** Of a bad disk's statements: this share waits, and this share fails. Most of a transaction succeeds. */
const badDisk = { pausedStatements: 0.5, diskErrors: 0.04 }

/**
 * A database at any statement of which a process may die. For some writes it does not know whether they were committed, and it
 * sometimes cannot read or write.
 */
export function faultyDatabase(
  db: Database,
  scheduler: Scheduler,
  process: Process,
  rates: FaultRates,
): Database {
  const { random } = process
  const diskError = db.dialect === 'postgres' ? serverError(process) : diskErrorOf(scheduler, process)
  /** A turn for the others; if this process dies meanwhile, nothing returns. */
  const others = async (isSlow: boolean, hasChanged = false): Promise<void> => {
    const { pausedStatements, diskErrors } = process.hasBadDisk ? badDisk : rates
    if (isSlow) await scheduler.sleep(random.int(slowReadMs))
    else if (random.is(pausedStatements)) await scheduler.sleep(random.int(3))
    if (!random.is(diskErrors)) return
    if (hasChanged) scheduler.tell('disk error in a write')
    throw diskError()
  }
  const slowed = (tx: Tx, isSlow: boolean, write = { hasChanged: false }): Tx => {
    const wait = (): Promise<void> => others(isSlow, write.hasChanged)
    const toChange = (): Promise<void> => wait().then(() => begin(write))
    return transactionOver({
      dialect: tx.dialect,
      all: (query) => wait().then(() => tx.all(query)),
      get: (query) => wait().then(() => tx.get(query)),
      run: (query) => toChange().then(() => tx.run(query)),
      change: (query) => toChange().then(() => tx.change(query)),
      insert: (...given) => toChange().then(() => tx.insert(...given)),
    })
  }
  const begin = (write: { hasChanged: boolean }): void => {
    if (!write.hasChanged) process.openWrites += 1
    write.hasChanged = true
  }
  return {
    ...db,
    read: (fn, how) => {
      const isSlow = random.is(slowReads)
      return db.read((tx) => fn(slowed(tx, isSlow)), how)
    },
    async write(fn, how) {
      const isUnheard = random.is(rates.lostCommits)
      const isDone = random.is(0.5)
      const write = { hasChanged: false }
      const work = async (tx: Tx) => {
        const value = await fn(slowed(tx, false, write))
        if (isUnheard && !isDone) throw unheard()
        return value
      }
      try {
        const result = await db.write(work, how)
        await others(false).catch(() => {})
        if (isUnheard) throw unheard()
        return result
      } finally {
        if (write.hasChanged) process.openWrites -= 1
        if (isUnheard && write.hasChanged) scheduler.tell(isDone ? 'unheard commit' : 'unheard rollback')
      }
    },
  }
}

let shake = (db: Database): Database => db

/** The database of a command that opens it by itself; it tells no other process of its commits. */
export const shaken = ({ relay: _, ...db }: Database): Database => shake(db)

export function shakeCommands(scheduler: Scheduler, rates: FaultRates): void {
  shake = (db) => faultyDatabase(db, scheduler, scheduler.current(), rates)
}

/** SQLite tells of a page that the disk did not give as of one that is damaged; read again, it is there. */
function diskErrorOf(scheduler: Scheduler, { random }: Process): () => Error {
  let spared = { steps: 0, at: 0 }
  return () => {
    const isSpared = scheduler.steps < spared.steps || scheduler.now() < spared.at
    const isDamaged = !isSpared && random.is(0.5)
    if (isDamaged) scheduler.tell('damaged page')
    if (isDamaged) spared = { steps: scheduler.steps + sparedSteps, at: scheduler.now() + sparedMs }
    return Object.assign(new Error('disk I/O error'), {
      code: 'ERR_SQLITE_ERROR',
      errcode: isDamaged ? sqliteCorrupt : sqliteInOut,
    })
  }
}

/** A lost connection, or a disk of the server. */
function serverError({ random }: Process): () => Error {
  return () => {
    const [code, message] = random.is(0.5)
      ? ['ECONNRESET', 'read ECONNRESET']
      : ['58030', 'could not read block']
    return Object.assign(new Error(message), { code })
  }
}

function unheard(): StoreError {
  return new StoreError('unknown', 'The connection was lost while committing.')
}
