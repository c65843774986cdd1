import { own } from '../../contract/own.ts'
import type { Load, Noun } from '../command.ts'

/** Options of every command that take a value. */
const valued = /^(-o|--output|--columns|--profile|--base-url|--database|--max-wait|--api-key)$/

/** Commander knows a command's options only after its name. */
export function orderArguments(args: readonly string[]): readonly string[] {
  const first = firstWord(args)
  if (first <= 0 || first >= args.length) return args
  const leading = args.slice(0, first)
  return leading.every((word) => /^(-h|--help|-V|--version)$/.test(word))
    ? args
    : [...args.slice(first), ...leading]
}

/** The leading words that name a command: none, `demo`, `items ls`, `admin keys ls`, or `help` and all words after it. */
export function commandWords(args: readonly string[], nouns: Readonly<Record<string, Noun>>): string[] {
  if (args[0] === 'help') return args.filter((word) => !word.startsWith('-'))
  const words: string[] = []
  let within: Readonly<Record<string, Noun | Load>> = nouns
  for (const word of args) {
    const known = own(within, word)
    if (known === undefined) break
    words.push(word)
    if (typeof known === 'function' || 'load' in known) break
    within = known.verbs
  }
  return words
}

function firstWord(args: readonly string[]): number {
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? ''
    if (!word.startsWith('-') || word === '-') return index
    if (valued.test(word)) index++
  }
  return args.length
}
