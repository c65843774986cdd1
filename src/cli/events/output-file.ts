import { closeSync, fdatasyncSync, fstatSync, openSync, readSync } from 'node:fs'

/** Standard output, if it is a file: what was printed is safe only once it is on disk. */
export type OutputFile = {
  bytes(): number
  sync(): void
  /** True if the file still has this many bytes and the last is not zero: a power cut leaves fewer, or zeros. */
  holds(bytes: number): boolean
}

export function outputFile(): OutputFile | undefined {
  try {
    if (!fstatSync(1).isFile()) return undefined
  } catch {
    return undefined
  }
  return {
    bytes: () => fstatSync(1).size,
    sync: () => fdatasyncSync(1),
    holds: (bytes) => bytes === 0 || (endOfOutput(bytes, 1).at(-1) ?? 0) !== 0,
  }
}

/** `length` bytes before position `to`; none if the file is shorter or unreadable. */
export function endOfOutput(to: number, length: number): Buffer {
  try {
    // A descriptor opened for appending cannot be read, so the file is opened again.
    const descriptor = openSync('/proc/self/fd/1', 'r')
    try {
      const bytes = Buffer.alloc(length)
      const read = readSync(descriptor, bytes, 0, length, to - length)
      return bytes.subarray(0, read)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return Buffer.alloc(0)
  }
}
