/** Crockford's base32: no I, L, O, U, so that a code can be read out and typed (decisions 2). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const valueOfCode = decodeTable()

/** The character of a value; only the lower five bits count. */
export function crockfordCharacter(value: number): string {
  return alphabet.charAt(value & 31)
}

/** The value 0 to 31 of a character, lower case and O/I/L accepted; -1 for any other character. */
export function crockfordValue(character: string): number {
  return character.length === 1 ? (valueOfCode[character.charCodeAt(0)] ?? -1) : -1
}

/** Five bits a character, most significant first; bits left over at the end are dropped. */
export function crockfordText(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    // More than the bits that are left falls out of the 32 at the top.
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += crockfordCharacter(held >> bits)
    }
  }
  return text
}

function decodeTable(): Int8Array {
  const table = new Int8Array(128).fill(-1)
  for (const [value, character] of [...alphabet].entries()) {
    table[character.charCodeAt(0)] = value
    table[character.toLowerCase().charCodeAt(0)] = value
  }
  for (const [read, meant] of ['O0', 'I1', 'L1'].map((pair) => [pair.charAt(0), pair.charAt(1)] as const)) {
    const value = alphabet.indexOf(meant)
    table[read.charCodeAt(0)] = value
    table[read.toLowerCase().charCodeAt(0)] = value
  }
  return table
}
