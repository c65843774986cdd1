import { once } from '../../contract/once.ts'
import { runtime } from '../../runtime/runtime.ts'

/** Invisible characters, except joiners (emoji need them) and visible Arabic and Kaithi signs. Lazy: compiling takes 1 ms. */
const controlsOf = once(() => {
  const obeyed =
    /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\u200c\u200d\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]]/v
  return {
    line: new RegExp(`${obeyed.source}+`, 'gv'),
    lines: new RegExp(`(?![\\n\\t])${obeyed.source}`, 'gv'),
    json: new RegExp(`(?!\\n)${obeyed.source}`, 'gv'),
  }
})
// Most text is Latin: a terminal acts on none of these characters, and none combines with the one before it.
const isPlain = /^[ -~\u00a0-\u00ac\u00ae-\u02ff]*$/
const isPlainLines = /^[\n\t -~\u00a0-\u00ac\u00ae-\u02ff]*$/

/** Makes one line and blanks characters that a terminal would act on; for people and for tab-separated text. */
export function harmless(text: string): string {
  return isPlain.test(text) ? text : text.replace(controlsOf().line, ' ')
}

/** Also composes accented letters, so that the text's width can be computed. */
export function visible(text: string): string {
  return isPlain.test(text) ? text : harmless(text.normalize('NFC'))
}

/** Names come from files and services: a name of 64 KiB would bury the message. */
export function shortWords(text: string): string {
  return text.replace(/(\S{300})\S+/gu, '$1...')
}

/** Escapes characters that a terminal would act on as \uXXXX; programs read the same value. */
export function jsonText(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, null, indent)
  if (isPlainLines.test(json)) return json
  return json.replace(controlsOf().json, (sign) =>
    Array.from({ length: sign.length }, (_, at) => `\\u${hex(sign.charCodeAt(at))}`).join(''),
  )
}

function hex(code: number): string {
  return code.toString(16).padStart(4, '0')
}

// Marks our own sequences. Random and never sent to a terminal, so that other text cannot forge it.
const nonce = [0, 0].map(() => Math.floor(1000 + runtime.chance() * 9000)).join(';')
const introducer = '\u001b['

/** Begins one of our own control sequences, such as a colour. Only `terminalText` lets it pass. */
export const ownSequence = `${introducer}${nonce};`

export const bell = `${introducer}${nonce}!`

/** For a terminal or a log: keeps lines, tabs and our own sequences, and blanks anything else that a terminal would act on. */
export function terminalText(text: string): string {
  if (isPlainLines.test(text)) return text
  const harmlessLines = (piece: string): string => piece.replace(controlsOf().lines, ' ')
  const withoutBells = (part: string): string => part.split(ownSequence).map(harmlessLines).join(introducer)
  return text.split(bell).map(withoutBells).join('\u0007')
}
