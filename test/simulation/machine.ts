import { rmSync } from 'node:fs'
import type { DatabaseSyncOptions, DatabaseSync as Sqlite, StatementSync } from 'node:sqlite'
import { Transform } from 'node:stream'
import { runtime } from '../../src/runtime/runtime.ts'
import type { Process, Scheduler } from './scheduler.ts'

// What the product has of its machine, in the simulation: time and chance by the scheduler, SQLite's connections known by
// their process, compression at once. Nothing is put back: the simulation has a process of its own.

/** 2026-01-01T09:00:00Z, when every run begins. */
const epoch = Date.UTC(2026, 0, 1, 9)

let scheduler: Scheduler
/** Of this machine's runs: what the product keeps between them counts time that only goes forward. */
let uptimeBase = 0
const connections = new Map<Process, Set<WatchedSqlite>>()
const full = new Set<Process>()

/** From now on everything waits for this scheduler. */
export function takeOver(by: Scheduler): void {
  if (scheduler) uptimeBase += 1e12
  scheduler = by
  connections.clear()
  full.clear()
}

export function clockOf(process: Process): number {
  return epoch + scheduler.now() + process.skewMs
}

export function uptime(): number {
  return uptimeBase + scheduler.now()
}

/** Its connections are gone, and what they had begun is rolled back. */
export function closeConnections(process: Process): void {
  for (const db of connections.get(process) ?? []) db.close()
  connections.delete(process)
}

/** While the disk is full, nothing that this process writes is committed. */
export function setFull(process: Process, isFull: boolean): void {
  if (isFull) full.add(process)
  else full.delete(process)
}

/** A database on no disk, made anew. */
export function freshFile(name: string): string {
  emptyPool()
  const file = `/dev/shm/${name}.db`
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
  return file
}

Object.assign(runtime, {
  clock: () => clockOf(scheduler.current()),
  uptime,
  after: (ms: number, ring: () => void) => scheduler.after(ms, ring),
  turn: () => scheduler.turn(),
  yielding: () => scheduler.current().yielding,
  stand: (ms: number) => scheduler.skip(ms),
  random: (bytes: number) => scheduler.current().random.bytes(bytes),
  chance: () => scheduler.current().random.next(),
})

const sqlite = process.getBuiltinModule('node:sqlite')

type Pooled = { db: Sqlite; statements: Map<string, StatementSync>; isUsed: boolean }
/** Connections that a process has let go of, which the next takes up: to open one and prepare its statements takes 3 ms. */
const pool = new Map<string, Pooled[]>()

function emptyPool(): void {
  for (const { db } of [...pool.values()].flat()) db.close()
  pool.clear()
}

/** No wait inside of SQLite, none for a disk, and a commit that finds no room where the story says so. */
class WatchedSqlite {
  isOpen = true
  private readonly owner = scheduler.current()
  private readonly pooled: Pooled
  private readonly file: string
  private isWriting = false
  constructor(file: string, options: DatabaseSyncOptions) {
    this.file = file
    this.pooled = pool.get(file)?.pop() ?? {
      db: new sqlite.DatabaseSync(file, { ...options, timeout: 0 }),
      statements: new Map(),
      isUsed: false,
    }
    const known = connections.get(this.owner) ?? new Set()
    connections.set(this.owner, known.add(this))
  }
  get isTransaction(): boolean {
    return this.isOpen && this.pooled.db.isTransaction
  }
  exec(text: string): void {
    const { db, isUsed } = this.pooled
    if (!this.isOpen) throw new Error('database is not open')
    if (text === 'commit' && this.isWriting && full.has(this.owner)) throw noRoom()
    if (isUsed && (text === 'pragma journal_mode = wal' || text.includes('busy_timeout'))) return
    db.exec(text)
    if (text.startsWith('begin')) this.isWriting = text === 'begin immediate'
    if (!text.includes('busy_timeout')) return
    db.exec('pragma busy_timeout = 0; pragma synchronous = off')
    this.pooled.isUsed = true
  }
  prepare(text: string): StatementSync {
    const { db, statements } = this.pooled
    const statement = statements.get(text) ?? db.prepare(text)
    statements.set(text, statement)
    return statement
  }
  enableDefensive(isOn: boolean): void {
    this.pooled.db.enableDefensive(isOn)
  }
  /** As a process that dies does: what it had begun is rolled back. */
  close(): void {
    if (!this.isOpen) return
    this.isOpen = false
    connections.get(this.owner)?.delete(this)
    if (this.pooled.db.isTransaction) this.pooled.db.exec('rollback')
    if (this.pooled.isUsed) pool.set(this.file, [...(pool.get(this.file) ?? []), this.pooled])
    else this.pooled.db.close()
  }
}

function noRoom(): Error {
  return Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
}

const zlib = process.getBuiltinModule('node:zlib')

/** What a thread aside would do, at once: no thread's end can be repeated. */
const zlibAtOnce = {
  ...zlib,
  createZstdCompress() {
    const pieces: Buffer[] = []
    return new Transform({
      transform(piece: Buffer, _encoding, done) {
        pieces.push(piece)
        done()
      },
      flush(done) {
        done(null, zlib.zstdCompressSync(Buffer.concat(pieces)))
      },
    })
  },
  zstdDecompress: (bytes: Buffer, done: (error: Error | null, text: Buffer) => void) =>
    done(null, zlib.zstdDecompressSync(bytes)),
}

const builtin = process.getBuiltinModule
const replaced: Record<string, object> = {
  'node:sqlite': { ...sqlite, DatabaseSync: WatchedSqlite },
  'node:zlib': zlibAtOnce,
}
process.getBuiltinModule = ((id: string) => replaced[id] ?? builtin(id)) as typeof builtin
