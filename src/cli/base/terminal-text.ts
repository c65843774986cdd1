import { once } from '../../contract/once.ts'
import { runtime } from '../../runtime/runtime.ts'

/**
 * What a terminal acts on or hides: control characters, directions, other invisible format characters and line separators.
 * Joiners, which emoji and many scripts need, and the visible Arabic and Kaithi signs are harmless. Compiled on first use:
 * looking up four Unicode properties takes a millisecond.
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
// Most text is Latin, where a terminal acts on no character and none combines with the one before it.
const isPlain = /^[ -~\u00a0-\u00ac\u00ae-\u02ff]*$/
const isPlainLines = /^[\n\t -~\u00a0-\u00ac\u00ae-\u02ff]*$/

/** On one line and without anything that a terminal would act on; for people and for tab-separated text. */
export function harmless(text: string): string {
  return isPlain.test(text) ? text : text.replace(obeyedIn().line, ' ')
}

/** The same, composed as well, so that its width can be computed. */
export function visible(text: string): string {
  return isPlain.test(text) ? text : harmless(text.normalize('NFC'))
}

/** A value as JSON, with everything that a terminal would act on written as \uXXXX: the same value to a program. */
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

// Two random numbers that are never sent to a terminal. They mark our own sequences, and nobody else can forge the mark.
const nonce = [0, 0].map(() => Math.floor(1000 + runtime.chance() * 9000)).join(';')
const introducer = '\u001b['

/** Begins a control sequence of our own, such as a colour or a cursor movement. Only `terminalText` lets it pass. */
export const ownSequence = `${introducer}${nonce};`

/** Rings the bell of a terminal. Only `terminalText` lets it pass. */
export const bell = `${introducer}${nonce}!`

/** What is sent to a terminal or a log: lines, tabs and our own sequences; anything else that it would act on becomes a blank. */
export function terminalText(text: string): string {
  if (isPlainLines.test(text)) return text
  const harmlessLines = (piece: string): string => piece.replace(obeyedIn().lines, ' ')
  const unrung = (part: string): string => part.split(ownSequence).map(harmlessLines).join(introducer)
  return text.split(bell).map(unrung).join('\u0007')
}
