import type { Random } from './random.ts'

// A disk in memory, as a file system keeps one: what is written is seen at once and is on the disk once it was synced, or soon
// after by itself. A sector is written whole or not at all, and the names of a folder in the order in which they were made.

export type Inode = {
  readonly no: number
  readonly isFolder: boolean
  mode: number
  changedMs: number
  /** How many names it has. */
  links: number
  data: Buffer
  names: Map<string, Inode>
  /** What is surely on the disk; and how the names were before each change since they were synced. */
  synced: Buffer
  earlier: Array<Inode['names']>
  /** When it was last changed, by a clock that is right. */
  writtenAt: number
}

const sectorBytes = 512
/** After so long the system has written what nobody asked it to. */
const writtenBackMs = 30_000
const noBytes = Buffer.alloc(0)

export class Disk {
  readonly root = this.make(true, 0)
  /** How often its machine has begun. */
  boot = 1
  /** Until when there is no room on it. */
  fullUntil = 0
  /** Processes that its machine has begun with since. */
  pids = 0
  private inodes = 0

  make(isFolder: boolean, mode: number): Inode {
    const no = ++this.inodes
    const [names, earlier] = [new Map(), []]
    return {
      no,
      isFolder,
      mode,
      changedMs: 0,
      links: 0,
      data: noBytes,
      names,
      synced: noBytes,
      earlier,
      writtenAt: 0,
    }
  }
}

/** `bytes` in the place of what is there from `at` on; a gap is zeros. */
export function writeBytes(file: Inode, bytes: Uint8Array, at: number, now: number): void {
  const data = Buffer.alloc(Math.max(file.data.length, at + bytes.length))
  data.set(file.data)
  data.set(bytes, at)
  setBytes(file, data, now)
}

export function setBytes(file: Inode, data: Buffer, now: number): void {
  settle(file, now)
  file.data = data
  file.writtenAt = now
}

export function setName(folder: Inode, changes: Record<string, Inode | undefined>, now: number): void {
  settle(folder, now)
  folder.earlier.push(folder.names)
  folder.names = new Map(folder.names)
  for (const [name, inode] of Object.entries(changes)) {
    const before = folder.names.get(name)
    if (before) before.links -= 1
    folder.names.delete(name)
    if (inode) folder.names.set(name, inode)
    if (inode) inode.links += 1
  }
  folder.writtenAt = now
}

/** Of bytes that a process writes, how many are written where it is ended on the way: up to the end of a sector. */
export function cutOff(at: number, length: number, random: Random): number {
  const ends = Math.floor((at + length - 1) / sectorBytes) - Math.floor(at / sectorBytes)
  const end = random.int(ends + 1)
  return end === 0 ? 0 : (Math.floor(at / sectorBytes) + end) * sectorBytes - at
}

export function sync(inode: Inode): void {
  inode.synced = inode.data
  inode.earlier = []
}

/** What was written long ago is on the disk. */
function settle(inode: Inode, now: number): void {
  if (now - inode.writtenAt > writtenBackMs) sync(inode)
}

/** The power is gone: what was not synced may be there or not, or in part. */
export function losePower(disk: Disk, now: number, random: Random): void {
  disk.boot += 1
  disk.pids = 0
  const left = [disk.root]
  for (let at = left.pop(); at; at = left.pop()) {
    settle(at, now)
    const { names, earlier } = at
    if (at.isFolder) at.names = random.pick([...earlier, names])
    else if (at.synced !== at.data) at.data = leftOf(at, random)
    sync(at)
    left.push(...at.names.values())
  }
  count(disk.root)
}

function leftOf({ synced, data }: Inode, random: Random): Buffer {
  const kept = random.next()
  if (kept < 0.3) return data
  if (kept < 0.6) return synced
  const length = random.pick([synced, data]).length
  const left = Buffer.alloc(length)
  for (let at = 0; at < length; at += sectorBytes) {
    const end = Math.min(at + sectorBytes, length)
    left.set(random.pick([synced, data]).subarray(at, end), at)
  }
  return left
}

/** How many names each has that is left. */
function count(folder: Inode): void {
  for (const inode of folder.names.values()) {
    inode.links = 1
    if (inode.isFolder) count(inode)
  }
}
