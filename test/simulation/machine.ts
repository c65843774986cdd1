import { mkdirSync, rmSync } from 'node:fs'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { Transform } from 'node:stream'
import { runtime } from '../../src/runtime/runtime.ts'
import type { Process, Scheduler } from './scheduler.ts'
import { createPool, type Pool, preparedOn } from './sqlite-pool.ts'

// The product's view of its machine in the simulation: time and chance from the scheduler, SQLite's connections by process,
// compression without delay. Nothing is restored, because the simulation has its own process.

/** 2026-01-01T09:00:00Z, the start of every run. */
const epoch = Date.UTC(2026, 0, 1, 9)

/** State that is lost with its process. */
type Connection = { close(): void }

let scheduler: Scheduler
/** For this machine's runs: values that the product keeps between them count time that only goes forward. */
let uptimeBase = 0
const connections = new Map<Process, Set<Connection>>()
const full = new Set<Process>()

/** From now on everything waits for this scheduler. */
export function takeOver(by: Scheduler): void {
  if (scheduler) uptimeBase += 1e12
  scheduler = by
  connections.clear()
  full.clear()
  holders.clear()
  for (const file of deskFiles) remove(file)
  deskFiles.clear()
}

/** The current process. */
export function current(): Process {
  return scheduler.current()
}

export function clockOf(process: Process): number {
  return trueTime() + process.skewMs
}

/** By a correct clock. */
export function trueTime(): number {
  return epoch + scheduler.now()
}

export function uptime(): number {
  return uptimeBase + scheduler.now()
}

/** A request to another machine: nothing continues until it is answered. */
export function outside<T>(answer: Promise<T>): Promise<T> {
  return scheduler.outside(answer)
}

export function keepConnection(process: Process, connection: Connection): void {
  connections.set(process, (connections.get(process) ?? new Set()).add(connection))
}

/** Closes its connections and rolls back open transactions. */
export function closeConnections(process: Process): void {
  for (const db of connections.get(process) ?? []) db.close()
  connections.delete(process)
}

/** While the disk is full, this process commits nothing. */
export function setFull(process: Process, isFull: boolean): void {
  if (isFull) full.add(process)
  else full.delete(process)
}

export function isFullAtCommit(process: Process): boolean {
  if (full.has(process)) scheduler.tell('full disk at a commit', process)
  return full.has(process)
}

/** Not on a disk; lost with this process. */
export const folder = `/dev/shm/custody-simulation-${process.pid}`
mkdirSync(folder)
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Creates a database again. */
export function freshFile(name: string): string {
  const file = `${folder}/${name}.db`
  remove(file)
  return file
}

function remove(file: string): void {
  closeFile(file)
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true })
}

/** Databases of the partners' machines: real files, whose commits no power cut undoes. */
const deskFiles = new Set<string>()

export function deskFileOf(path: string): string {
  return `${folder}/desk${path.replaceAll(/[/ ]/g, '-')}`
}

/** The result of a query on a desk's database; undefined if there is none. */
export function rowsIn(path: string, query: string): Array<Record<string, unknown>> | undefined {
  const file = deskFileOf(path)
  if (!deskFiles.has(file)) return undefined
  const lent = poolOf(file).lend()
  const rows = lent.db.prepare(query).all()
  poolOf(file).giveBack(lent)
  return rows
}

/** Runs a statement on a desk's database: it may be the last of its process. */
let onDesk = (task: () => void, _isRare: boolean): void => task()

export function carryOutOnDesks(by: typeof onDesk): void {
  onDesk = by
}

/** Closes all connections to it, so that the file itself contains all writes. */
export function closeFile(file: string): void {
  pools.get(file)?.close()
  pools.delete(file)
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

const pools = new Map<string, Pool>()

function poolOf(file: string): Pool {
  const pool = pools.get(file) ?? createPool(file)
  pools.set(file, pool)
  return pool
}

/** A connection as the product sees it, with a commit that finds no space if the story says so. */
class WatchedSqlite {
  isOpen = true
  private readonly owner = scheduler.current()
  private readonly pool: Pool
  /** While a transaction is open. */
  private held: ReturnType<Pool['lend']> | undefined
  private isWriting = false
  private readonly isOfDesk: boolean
  constructor(file: string) {
    this.isOfDesk = file.startsWith(`${folder}/desk`)
    if (this.isOfDesk) deskFiles.add(file)
    this.pool = poolOf(file)
    keepConnection(this.owner, this)
  }
  get isTransaction(): boolean {
    return this.held?.db.isTransaction ?? false
  }
  exec(text: string): void {
    this.check()
    if (text.startsWith('pragma')) {
      // A connection that only reads; those of the pool are all alike.
      if (!text.includes('query_only')) this.pool.set(text)
      return
    }
    if (text === 'commit' && this.isWriting && isFullAtCommit(this.owner)) throw noRoom()
    if (this.isOfDesk && text === 'commit') onDesk(() => this.held?.db.exec(text), false)
    else if (!text.startsWith('begin')) this.held?.db.exec(text)
    else {
      this.held ??= this.pool.lend()
      this.isWriting = text === 'begin immediate'
      try {
        this.held.db.exec(text)
      } catch (error) {
        this.letGo()
        throw error
      }
    }
    if (text === 'commit' || text === 'rollback') this.letGo()
  }
  prepare(text: string) {
    let find = preparedOn(text, false)
    const { isOfDesk } = this
    const run = <T>(task: (statement: StatementSync) => T): T => {
      this.check()
      if (this.held) return task(find(this.held))
      const lent = this.pool.lend()
      try {
        return task(find(lent))
      } finally {
        this.pool.giveBack(lent)
      }
    }
    return {
      setReturnArrays(returnsArrays: boolean) {
        find = preparedOn(text, returnsArrays)
      },
      columns: () => run((statement) => statement.columns()),
      sourceSQL: text,
      all: (...values: SQLInputValue[]) => run((statement) => statement.all(...values)),
      iterate: (...values: SQLInputValue[]) => run((statement) => statement.all(...values)).values(),
      get: (...values: SQLInputValue[]) => run((statement) => statement.get(...values)),
      run(...values: SQLInputValue[]) {
        if (isOfDesk) onDesk(() => {}, true)
        return run((statement) => statement.run(...values))
      },
    }
  }
  enableDefensive(): void {}
  /** Connections are lent to all processes, so one of them must not restrict the others; errands ask no wrong queries. */
  setAuthorizer(): void {}
  /** Like a dying process: rolls back what it had begun. */
  close(): void {
    if (!this.isOpen) return
    this.isOpen = false
    connections.get(this.owner)?.delete(this)
    this.letGo()
  }
  private check(): void {
    if (!this.isOpen) throw new Error('database is not open')
    const { name } = scheduler.current()
    if (scheduler.current() !== this.owner) throw new Error(`${this.owner.name} goes on in a turn of ${name}`)
  }
  private letGo(): void {
    if (this.held) this.pool.giveBack(this.held)
    this.held = undefined
  }
}

const holders = new Map<string, Process>()

/** A file that one process locks until it unlocks it or dies (src/store/sqlite/file-lock.ts). */
class HeldFile {
  private readonly file: string
  private isHeld = false
  constructor(file: string) {
    this.file = file
  }
  exec(): void {
    if (holders.get(this.file)?.isAlive)
      throw Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR', errcode: 5 })
    holders.set(this.file, scheduler.current())
    this.isHeld = true
  }
  close(): void {
    if (this.isHeld) holders.delete(this.file)
  }
}

const Opened = new Proxy(WatchedSqlite, {
  construct: (Sqlite, [file]: [string]) => (file.endsWith('.lock') ? new HeldFile(file) : new Sqlite(file)),
})

function noRoom(): Error {
  return Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
}

const zlib = process.getBuiltinModule('node:zlib')

/**
 * Does a thread's work at once: a thread's end cannot be repeated, and the code after it would run in another process's turn.
 */
const zlibAtOnce = {
  ...zlib,
  createZstdCompress: () => wholeAtOnce(zlib.zstdCompressSync),
  createZstdDecompress: () => wholeAtOnce(zlib.zstdDecompressSync),
}

function wholeAtOnce(change: (bytes: Buffer) => Buffer): Transform {
  const pieces: Buffer[] = []
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      // The writer of a piece reuses its memory.
      pieces.push(Buffer.from(piece))
      done()
    },
    flush(done) {
      done(null, change(Buffer.concat(pieces)))
    },
  })
}

const builtin = process.getBuiltinModule
const replaced: Record<string, object> = {
  'node:sqlite': { ...process.getBuiltinModule('node:sqlite'), DatabaseSync: Opened },
  'node:zlib': zlibAtOnce,
}
process.getBuiltinModule = ((id: string) => replaced[id] ?? builtin(id)) as typeof builtin
