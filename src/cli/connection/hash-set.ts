/** Remembers texts by the millions. */
type HashSet = {
  /** False for a text that was added before. */
  add(text: string): boolean
  has(text: string): boolean
  readonly size: number
}

/**
 * A set that keeps a hash of 64 bits for each text, 16 to 32 bytes of memory whatever its length. It never takes an old text
 * for a new one. A new one is taken for an old one once in 37 million sets of a million texts.
 */
export function createHashSet(): HashSet {
  let slots = new Uint32Array(2 * 4096)
  let size = 0
  const put = (into: Uint32Array, high: number, low: number): boolean => {
    const at = placeOf(into, high, low)
    if (into[at] !== 0 || into[at + 1] !== 0) return false
    into[at] = high
    into[at + 1] = low
    return true
  }
  const grow = (): void => {
    const larger = new Uint32Array(slots.length * 2)
    for (let at = 0; at < slots.length; at += 2) {
      if (slots[at] !== 0 || slots[at + 1] !== 0) put(larger, slots[at] ?? 0, slots[at + 1] ?? 0)
    }
    slots = larger
  }
  return {
    get size() {
      return size
    },
    add(text) {
      if (size * 4 > slots.length) grow()
      if (!put(slots, ...hash64(text))) return false
      size += 1
      return true
    },
    has(text) {
      const at = placeOf(slots, ...hash64(text))
      return slots[at] !== 0 || slots[at + 1] !== 0
    },
  }
}

/** Open addressing: the slot of a hash, or the empty slot (zeros) where it belongs. */
function placeOf(slots: Uint32Array, high: number, low: number): number {
  const mask = slots.length / 2 - 1
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const at = slot * 2
    const isEmpty = slots[at] === 0 && slots[at + 1] === 0
    if (isEmpty || (slots[at] === high && slots[at + 1] === low)) return at
  }
}

/** Two 32-bit hashes (after cyrb53); never both zero. */
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
  return [high >>> 0, low >>> 0 || 1]
}
