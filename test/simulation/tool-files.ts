import { basename, dirname } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { runtime } from '../../src/runtime/runtime.ts'
import { temporaryFolder } from './desks.ts'
import { cutOff, type Disk, type Inode, losePower, setBytes, setName, sync, writeBytes } from './disk.ts'
import { carryOutOnDesks, current, deskFileOf, trueTime } from './machine.ts'
import type { Random } from './random.ts'
import type { Process } from './scheduler.ts'
import type { FaultRates } from './story.ts'

// Replaces node:fs in the tool's modules: files on the disk of its machine, with times by its clock. A call that changes
// something may be the last of its process, or find no space; a call of a dead process does nothing.

// The tool cannot import anything missing here: the machine's own function would read real files.
export { constants } from 'node:fs'

const unknown = (name: string) => (): never => {
  throw new Error(`not known here: ${name}`)
}
export const linkSync = unknown('linkSync')

/** `end`: what ends the process at once. */
type Machine = { disk: Disk; random: Random; rates: FaultRates; end: () => void }
type Opened = { inode: Inode; isAppending: boolean }
type Running = Machine & { pid: number; files: Map<number, Opened> }

const running = new Map<Process, Running>()

/** From now on the process has files; the returned function removes them. */
export function plugIn(process: Process, machine: Machine): () => void {
  running.set(process, { ...machine, pid: ++machine.disk.pids, files: new Map() })
  return () => void running.delete(process)
}

/** Every process on it dies, and unsynced data may be lost. */
export function cutPower(disk: Disk, random: Random): void {
  for (const one of running.values()) if (one.disk === disk) one.end()
  losePower(disk, trueTime(), random)
}

/** Share of processes dying at a call whose machine dies too. */
const machinesOfDeaths = 0.4
const fullMs = 2_000

function here(): Running {
  const one = running.get(current())
  if (!one || !current().isAlive) throw new Error('a dead process does nothing')
  return one
}

/** A call that changes something; `begin` does the part before the interruption. */
function change(task: () => void, begin = () => {}): void {
  const { random, rates, disk, end } = here()
  if (!random.is(rates.deskDeaths)) {
    task()
    return
  }
  random.pick([() => {}, begin, task])()
  if (random.is(machinesOfDeaths)) cutPower(disk, random)
  end()
  throw new Error('this process has just died')
}

/** The path of a database on this machine. */
export const databasePath = (folder: string, name: string): string => deskFileOf(`${folder}/${name}`)

/** For the many statements of a database. */
const rareStatements = 0.02

carryOutOnDesks((task, isRare) => {
  if (isRare && !here().random.is(rareStatements)) task()
  else change(task)
})

/** Throws if there is no space for more. */
function needRoom(syscall: string, path?: string): void {
  const { disk, random, rates } = here()
  if (random.is(rates.fullDesks)) disk.fullUntil = trueTime() + random.int(fullMs)
  if (trueTime() < disk.fullUntil) throw fault('ENOSPC', syscall, path)
}

function fault(code: string, syscall: string, path?: string): Error {
  return Object.assign(new Error(`${code}, ${syscall} '${path}'`), { code, syscall, path })
}

function find(path: string): Inode | undefined {
  let at: Inode | undefined = here().disk.root
  for (const name of path.split('/')) if (name !== '' && name !== '.') at = at?.names.get(name)
  return at
}

function found(path: string, syscall: string): Inode {
  const inode = find(path)
  if (!inode) throw fault('ENOENT', syscall, path)
  return inode
}

function folderOf(path: string, syscall: string): Inode {
  const folder = found(dirname(path), syscall)
  if (!folder.isFolder) throw fault('ENOTDIR', syscall, path)
  return folder
}

function name(syscall: string, path: string, inode: Inode | undefined, from?: string): void {
  const folder = folderOf(path, syscall)
  const names = { ...(from && { [from]: undefined }), [basename(path)]: inode }
  change(() => setName(folder, names, trueTime()))
}

function opened(descriptor: number): Opened {
  const file = here().files.get(descriptor)
  if (!file) throw fault('EBADF', 'a call', `${descriptor}`)
  return file
}

function made(path: string, isFolder: boolean, mode: number, syscall: string): Inode {
  needRoom(syscall, path)
  const inode = here().disk.make(isFolder, mode)
  inode.changedMs = runtime.clock()
  name(syscall, path, inode)
  return inode
}

export function openSync(path: string, given: string | number = 'r', mode = 0o666): number {
  const { files } = here()
  const there = find(path)
  // As a number, to append to a file that exists.
  const flags = typeof given === 'string' ? given : 'r a'
  if (there && flags.includes('x')) throw fault('EEXIST', 'open', path)
  if (!there && flags.startsWith('r')) throw fault('ENOENT', 'open', path)
  const inode = there ?? made(path, false, mode, 'open')
  const descriptor = 3 + files.size
  files.set(descriptor, { inode, isAppending: flags.includes('a') })
  return descriptor
}

/** No number is used twice. */
export function closeSync(descriptor: number): void {
  opened(descriptor)
}

export function writeSync(
  to: number,
  bytes: Uint8Array,
  from = 0,
  length = bytes.length - from,
  at = 0,
): number {
  const { inode } = opened(to)
  const { random } = here()
  const write = (part: Uint8Array): void => {
    writeBytes(inode, part, at, trueTime())
    inode.changedMs = runtime.clock()
  }
  const begin = (): void => write(bytes.subarray(from, from + cutOff(at, length, random)))
  if (at + length > inode.data.length)
    try {
      needRoom('write')
    } catch (error) {
      begin()
      throw error
    }
  change(() => write(bytes.subarray(from, from + length)), begin)
  return length
}

export function writeFileSync(to: number, data: string | Uint8Array): void {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  writeSync(to, bytes, 0, bytes.length, opened(to).isAppending ? opened(to).inode.data.length : 0)
}

export const appendFileSync = writeFileSync

export function ftruncateSync(descriptor: number, length: number): void {
  const { inode } = opened(descriptor)
  change(() => setBytes(inode, inode.data.subarray(0, length), trueTime()))
}

export function fsyncSync(descriptor: number): void {
  const { inode } = opened(descriptor)
  change(() => sync(inode))
}

export const fdatasyncSync = fsyncSync

export function readSync(from: number, into: Uint8Array, offset = 0, length = into.length, at = 0): number {
  const bytes = opened(from).inode.data.subarray(at, at + length)
  into.set(bytes, offset)
  return bytes.length
}

/** As `promisify` calls it. */
export const read = Object.defineProperty(unknown('read with a callback'), promisify.custom, {
  value: async (...given: Parameters<typeof readSync>) => ({
    bytesRead: readSync(...given),
    buffer: given[1],
  }),
})

export function readFileSync(path: string, encoding?: 'utf8'): string | Buffer {
  const data = path.startsWith('/proc/') ? Buffer.from(ofSystem(path)) : found(path, 'open').data
  return encoding === undefined ? Buffer.from(data) : data.toString(encoding)
}

/** Process identity: when the machine started, and the process's own start. */
function ofSystem(path: string): string {
  const { disk, pid } = here()
  if (path.endsWith('/boot_id')) return `${disk.boot}`
  const asked = path.replace('/self/', `/${pid}/`)
  const isThere = [...running].some(([process, one]) => {
    return process.isAlive && one.disk === disk && asked === `/proc/${one.pid}/stat`
  })
  if (!isThere) throw fault('ENOENT', 'open', path)
  return `1 (custody) ${'0 '.repeat(19)}${asked.split('/')[2]}`
}

/** The process number in the names of its drafts. */
export const pidHere = (): number => here().pid

/** The only links are the kernel's. */
export const readlinkSync = (path: string): string => {
  if (path.startsWith('/proc/')) return 'pid:[1]'
  found(path, 'readlink')
  throw fault('EINVAL', 'readlink', path)
}

function statOf({ no, isFolder, data, mode, changedMs, links }: Inode) {
  const [isFile, isDirectory] = [() => !isFolder, () => isFolder]
  return { isFile, isDirectory, size: data.length, ino: no, mode, mtimeMs: changedMs, nlink: links }
}

export const fstatSync = (descriptor: number) => statOf(opened(descriptor).inode)

export function statSync(path: string, { throwIfNoEntry = true } = {}) {
  if (!throwIfNoEntry && !find(path)) return undefined
  return statOf(found(path, 'stat'))
}

export const existsSync = (path: string): boolean => find(path) !== undefined

export const accessSync = (path: string): void => void found(path, 'access')

export const realpathSync = (path: string): string => {
  found(path, 'realpath')
  return path
}

export function readdirSync(path: string): string[] {
  return [...found(path, 'scandir').names.keys()]
}

export function renameSync(from: string, to: string): void {
  if (dirname(from) !== dirname(to)) throw new Error('not known here: a file that gets another folder')
  name('rename', to, found(from, 'rename'), basename(from))
}

export function rmSync(path: string, { force = false, recursive = false } = {}): void {
  if (!find(path) && force) return
  if (found(path, 'rm').isFolder && !recursive) throw fault('EISDIR', 'rm', path)
  name('rm', path, undefined)
}

export function mkdirSync(path: string, { mode = 0o777 } = {}): void {
  if (find(path)) throw fault('EEXIST', 'mkdir', path)
  made(path, true, mode, 'mkdir')
}

/** In the temporary folder of the simulated machine, not of the real one. */
export function mkdtempSync(prefix: string): string {
  const path = `${temporaryFolder}/${basename(prefix)}${Buffer.from(here().random.bytes(3)).toString('hex')}`
  made(path, true, 0o700, 'mkdtemp')
  return path
}

export function utimesSync(path: string, _: number, seconds: number): void {
  const inode = found(path, 'utime')
  change(() => {
    inode.changedMs = seconds * 1000
  })
}

export const promises = {
  stat: async (path: string) => statSync(path),
  readFile: async (path: string) => readFileSync(path),
}

/** Writes at once what Node.js writes in the background. */
export function createWriteStream(_: string, { fd }: { fd: number }): Writable {
  return new Writable({
    write(piece: Buffer, _encoding, done) {
      try {
        writeSync(fd, piece, 0, piece.length, opened(fd).inode.data.length)
        done()
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

const pieceBytes = 64 * 1024

/** Reads at once what Node.js reads in the background. */
export async function* createReadStream(_: string, { fd }: { fd: number }): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const piece = Buffer.alloc(pieceBytes)
    const read = readSync(fd, piece, 0, pieceBytes, at)
    if (read === 0) return
    yield piece.subarray(0, read)
    at += read
  }
}
