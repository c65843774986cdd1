import type { Random } from './random.ts'

// A disk in memory that behaves like a file system: writes are visible at once, and on the disk after a sync or a short time. A
// sector is written whole or not at all, and the names of a folder in the order of their creation.

export type Inode = {
  readonly no: number
  readonly isFolder: boolean
  mode: number
  changedMs: number
  /** Number of names. */
  links: number
  data: Buffer
  names: Map<string, Inode>
  /** The content that is certainly on the disk, and the names before each change since the last sync. */
  synced: Buffer
  earlier: Array<Inode['names']>
  /** Time of the last change, by a correct clock. */
  writtenAt: number
}

const sectorBytes = 512
/** After this time the system writes without a sync. */
const writtenBackMs = 30_000
const noBytes = Buffer.alloc(0)

export class Disk {
  readonly root = this.make(true, 0)
  /** How often its machine has started. */
  boot = 1
  /** Until when it is full. */
  fullUntil = 0
  /** Number of processes started on its machine since. */
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

/** Replaces the content from `at` on by `bytes`; a gap is zeros. */
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

/** How many bytes a process has written when it is killed in between: up to the end of a sector. */
export function cutOff(at: number, length: number, random: Random): number {
  const ends = Math.floor((at + length - 1) / sectorBytes) - Math.floor(at / sectorBytes)
  const end = random.int(ends + 1)
  return end === 0 ? 0 : (Math.floor(at / sectorBytes) + end) * sectorBytes - at
}

export function sync(inode: Inode): void {
  inode.synced = inode.data
  inode.earlier = []
}

/** Older writes are on the disk. */
function settle(inode: Inode, now: number): void {
  if (now - inode.writtenAt > writtenBackMs) sync(inode)
}

/** A power cut: unsynced data may exist, be missing, or exist in part. */
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

/** How many names of each remain. */
function count(folder: Inode): void {
  for (const inode of folder.names.values()) {
    inode.links = 1
    if (inode.isFolder) count(inode)
  }
}
