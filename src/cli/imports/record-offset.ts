import { scanRecords, startScan } from '../../domain/csv/csv-records.ts'

const lineFeed = 10
const carriageReturn = 13

/**
 * Bytes that the first `count` records take, blank lines before them included; lines that the reader skips are not
 * counted here either. `bytes` begins where a record does.
 */
export function bytesOfRecords(bytes: Uint8Array, count: number): number {
  const scan = startScan()
  const nextBreak = breakFinder(bytes)
  let recordStart = 0
  let found = 0
  for (let from = 0; from < bytes.length && found < count; ) {
    const to = nextBreak(from)
    const isEnded = scanRecords(scan, bytes.subarray(from, to)) > 0 || to === bytes.length
    from = to
    if (!isEnded) continue
    if (!isBlank(bytes.subarray(recordStart, to))) found += 1
    recordStart = to
  }
  return recordStart
}

/** Finds where the line ends that holds a byte: after its CR or LF. Each kind is looked for once until it is passed. */
function breakFinder(bytes: Uint8Array): (from: number) => number {
  let feed = -1
  let carriage = -1
  return (from) => {
    if (feed < from) feed = positionOf(bytes, lineFeed, from)
    if (carriage < from) carriage = positionOf(bytes, carriageReturn, from)
    return Math.min(Math.min(feed, carriage) + 1, bytes.length)
  }
}

function positionOf(bytes: Uint8Array, byte: number, from: number): number {
  const at = bytes.indexOf(byte, from)
  return at < 0 ? bytes.length : at
}

function isBlank(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').trim()
  return text === '' || /^"\s*"$/.test(text)
}
