import { once } from '../../contract/once.ts'
import { runtime } from '../../runtime/runtime.ts'

/**
 * What a terminal obeys or hides: control characters, directions, other invisible format characters and line separators.
 * Joiners, which emoji and many scripts need, and the Arabic and Kaithi signs that are seen do no harm. Made when first
 * asked for: to look up four properties of Unicode takes a millisecond.
 */
const obeyedIn = once(() => {
  const obeyed =
    /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u200c\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/v
  return {
    line: new RegExp(`${obeyed.source}+`, 'gv'),
    lines: new RegExp(`(?![\\n\\t])${obeyed.source}`, 'gv'),
    json: new RegExp(`(?!\\n)${obeyed.source}`, 'gv'),
  }
})
// Most text is of Latin letters, of which none is obeyed and none is composed with the one before it.
const isPlain = /^[ -~\u00a0-\u00ac\u00ae-\u02ff]*$/
const isPlainLines = /^[\n\t -~\u00a0-\u00ac\u00ae-\u02ff]*$/

/** On one line and without anything that a terminal would obey; for people and for tab-separated text. */
export function harmless(text: string): string {
  return isPlain.test(text) ? text : text.replace(obeyedIn().line, ' ')
}

/** The same, composed too, so that its width can be told. */
export function visible(text: string): string {
  return isPlain.test(text) ? text : harmless(text.normalize('NFC'))
}

/** The JSON of a value in which everything that a terminal would obey is written as \uXXXX: the same value to a program. */
export function jsonText(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent)
  if (isPlainLines.test(json)) return json
  return json.replace(obeyedIn().json, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${hex(sign.charCodeAt(at))}`).join(''),
  )
}

function hex(code: number): string {
  return code.toString(16).padStart(4, '0')
}

// Two numbers that nobody outside can know, which no terminal is ever sent: by them our own sequences are told from others.
const nonce = [0, 0].map(() => Math.floor(1000 + runtime.chance() * 9000)).join(';')
const introducer = '\u001b['

/** What begins a control sequence of our own, as a colour or a move of the cursor. `terminalText` alone lets it pass. */
export const ownSequence = `${introducer}${nonce};`

/** What rings the bell of a terminal. `terminalText` alone lets it pass. */
export const bell = `${introducer}${nonce}!`

/** What a terminal or a log is sent: lines, tabs and our own sequences; of anything else that would be obeyed, blanks. */
export function terminalText(text: string): string {
  if (isPlainLines.test(text)) return text
  const harmlessLines = (piece: string): string => piece.replace(obeyedIn().lines, ' ')
  const unrung = (part: string): string => part.split(ownSequence).map(harmlessLines).join(introducer)
  return text.split(bell).map(unrung).join('\u0007')
}
