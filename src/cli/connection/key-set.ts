type KeySet = {
  /** False if the text was added before. */
  add(text: string): boolean
  /** Returns the number of a known text. Adds a new text with `number` (up to 2^32 - 1) and returns undefined. */
  number(text: string, number: number): number | undefined
  readonly size: number
}

/** Uses 16 to 32 bytes per text. Knows every old text; takes a new one for old in one of 37 million sets of a million texts. */
export function createKeySet(): KeySet {
  let slots = new Uint32Array(3 * 4096)
  let size = 0
  const grow = (): void => {
    const larger = new Uint32Array(slots.length * 2)
    for (let at = 0; at < slots.length; at += 3)
      if (isTaken(slots, at)) put(larger, slots[at] ?? 0, slots[at + 1] ?? 0, slots[at + 2] ?? 0)
    slots = larger
  }
  const number = (text: string, number: number): number | undefined => {
    if (size * 4 > slots.length) grow()
    const hash = hash64(text)
    const at = placeOf(slots, ...hash)
    if (isTaken(slots, at)) return slots[at + 2]
    put(slots, ...hash, number)
    size += 1
    return undefined
  }
  return {
    get size() {
      return size
    },
    add: (text) => number(text, 0) === undefined,
    number,
  }
}

function put(slots: Uint32Array, high: number, low: number, number: number): void {
  const at = placeOf(slots, high, low)
  slots[at] = high
  slots[at + 1] = low
  slots[at + 2] = number
}

function isTaken(slots: Uint32Array, at: number): boolean {
  return slots[at] !== 0 || slots[at + 1] !== 0
}

/** Open addressing: the slot of a hash, or the empty slot (zeros) where it belongs. */
function placeOf(slots: Uint32Array, high: number, low: number): number {
  const mask = slots.length / 3 - 1
  for (let slot = low & mask; ; slot = (slot + 1) & mask) {
    const at = slot * 3
    if (!isTaken(slots, at) || (slots[at] === high && slots[at + 1] === low)) return at
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
