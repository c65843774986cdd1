import type { CsvRowError } from '../../contract/resources/error.ts'
import type { CsvRow } from '../../domain/csv-reading.ts'

/**
 * Finds values that an earlier part of the file has: those of the same part are the row checker's to find. Keeps 8 bytes
 * for each value, so that files of millions of rows can be looked through; two values of 2^64 taken for one are not to be
 * expected, and the service has the last word.
 */
export function repeatFinder(
  column: string,
): (rows: readonly CsvRow[], header: readonly string[]) => CsvRowError[] {
  const seen = hashSet()
  return (rows, header) => {
    const at = header.indexOf(column)
    const found: CsvRowError[] = []
    for (const { row, values } of rows) {
      const value = values[at]?.trim() ?? ''
      if (seen.add(value)) continue
      const message = `"${value}" is already in an earlier row`
      found.push({
        row,
        code: 'state_conflict',
        fields: { [column]: [message] },
        message: `${column} ${message}.`,
      })
    }
    return found
  }
}

/** A set of 64-bit hashes by open addressing; `add` is false for one that it has. */
function hashSet(): { add(value: string): boolean } {
  let slots = new Uint32Array(2 * 4096)
  let count = 0
  const put = (into: Uint32Array, high: number, low: number): boolean => {
    const mask = into.length / 2 - 1
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const at = slot * 2
      if (into[at] === high && into[at + 1] === low) return false
      if (into[at] !== 0 || into[at + 1] !== 0) continue
      into[at] = high
      into[at + 1] = low
      return true
    }
  }
  const grow = (): void => {
    const larger = new Uint32Array(slots.length * 2)
    for (let at = 0; at < slots.length; at += 2) {
      if (slots[at] !== 0 || slots[at + 1] !== 0) put(larger, slots[at] ?? 0, slots[at + 1] ?? 0)
    }
    slots = larger
  }
  return {
    add(value) {
      if (count * 4 > slots.length) grow()
      const [high, low] = hash64(value)
      // A slot of zeros is an empty one.
      if (!put(slots, high, low || 1)) return false
      count += 1
      return true
    },
  }
}

/** Two mixing hashes of 32 bits side by side (after cyrb53). */
function hash64(text: string): [number, number] {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return [high >>> 0, low >>> 0]
}
