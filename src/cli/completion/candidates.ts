import { Command, type Option } from 'commander'
import { own } from '../../contract/own.ts'
import type { Io } from '../base/io.ts'
import type { CommandFile, Load, Noun, Nouns, Session } from '../command.ts'
import { commandWords, orderArguments } from '../command-line/argv.ts'
import { addCommonOptions } from '../command-line/common-options.ts'
import { namesOfColumns } from '../output/choose-columns.ts'
import { helpTopics } from '../output/help-topics.ts'
import { recentNames } from './recent-names.ts'
import { listed, noValues, type Values, valuesOfArgument, valuesOfOption, type Word } from './values.ts'

/** `current`: the word at the cursor, as far as it is typed. */
export async function candidates(
  { io, program }: Session,
  before: readonly string[],
  current: string,
): Promise<Values> {
  const ordered = orderArguments(before)
  const isHelp = ordered[0] === 'help'
  const words = isHelp ? ordered.slice(1) : commandWords(ordered, program.nouns)
  const rest = isHelp ? [] : ordered.slice(words.length)
  const found = await find(words, program.nouns)
  const values = await valuesAt(found, rest, current, io, isHelp)
  if (values.recent) return { ...values, words: await recentNames(io, values.recent, rest, current) }
  return { ...values, words: values.words.filter(({ word }) => word.startsWith(current)) }
}

type Names = Readonly<Record<string, Noun | Load>>
type Leaf = { kind: 'leaf'; leaf: Command; file: CommandFile<never[]> }
type Found = { kind: 'group'; names: Names; isTop: boolean } | Leaf | undefined

async function find(words: readonly string[], nouns: Nouns): Promise<Found> {
  let within: Names = nouns
  for (const word of words) {
    const known: Noun | Load | undefined = own(within, word)
    if (known === undefined) return undefined
    if (typeof known === 'function') return leafOf((await known()).command)
    if ('load' in known) return leafOf((await known.load()).command)
    within = known.verbs
  }
  return { kind: 'group', names: within, isTop: words.length === 0 }
}

function leafOf(file: CommandFile<never[]>): Leaf {
  const leaf = new Command()
  file.define?.(leaf)
  addCommonOptions(leaf, file)
  return { kind: 'leaf', leaf, file }
}

async function valuesAt(
  found: Found,
  rest: readonly string[],
  current: string,
  io: Io,
  isHelp: boolean,
): Promise<Values> {
  if (found === undefined) return noValues
  if (found.kind === 'leaf') return isHelp ? noValues : leafValues(found, rest, current, io)
  const { leaf: any } = leafOf(anyCommand)
  const pending = takesValue(optionNamed(any, rest.at(-1)))
  if (pending) return valuesOfOption(pending, current, io)
  if (positionals(any, rest) > 0) return noValues
  if (current.startsWith('-')) return { ...noValues, words: globalOptions }
  return { ...noValues, words: await commandNames(found, isHelp) }
}

const anyCommand: CommandFile<never[]> = {
  summary: '',
  examples: [],
  view: () => undefined,
  run: async () => {},
}
const globalOptions = [
  { word: '--help', about: 'Show help' },
  { word: '--version', about: 'Show the version' },
]

async function commandNames(
  { names, isTop }: { names: Names; isTop: boolean },
  isHelp: boolean,
): Promise<Word[]> {
  const words: Word[] = []
  for (const [word, known] of Object.entries(names)) {
    if (typeof known === 'function') words.push({ word, about: (await known()).command.summary })
    else if (!('isHidden' in known && known.isHidden)) words.push({ word, about: known.summary })
  }
  if (!isTop) return words
  const more = isHelp
    ? Object.entries(helpTopics).map(([word, { about }]) => ({ word, about }))
    : [{ word: 'help', about: 'Show help for a command' }]
  return [...words, ...more]
}

function leafValues({ leaf, file }: Leaf, rest: readonly string[], current: string, io: Io): Values {
  const isOver = rest.includes('--')
  const view = rest.at(-1) === '--columns' && !file.isPlain ? file.view('table') : undefined
  if (view) return listed(namesOfColumns(view), current)
  const pending = isOver ? undefined : takesValue(optionNamed(leaf, rest.at(-1)))
  if (pending) return valuesOfOption(pending, current, io)
  const [, flag, begun] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? []
  if (flag !== undefined && begun !== undefined && !isOver) {
    const option = takesValue(optionNamed(leaf, flag))
    return option ? prefixed(valuesOfOption(option, begun, io), `${flag}=`) : noValues
  }
  if (current.startsWith('-') && !isOver) return { ...noValues, words: optionWords(leaf, rest) }
  const index = positionals(leaf, rest)
  const { registeredArguments: known } = leaf
  const argument = known[index] ?? (known.at(-1)?.variadic ? known.at(-1) : undefined)
  return argument ? valuesOfArgument(argument, current, io) : noValues
}

function positionals(leaf: Command, rest: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? ''
    if (word === '--') return count + rest.length - at - 1
    if (!word.startsWith('-') || word === '-') count++
    else if (takesValue(optionNamed(leaf, word))) at++
  }
  return count
}

function optionNamed(leaf: Command, word: string | undefined): Option | undefined {
  return leaf.options.find(({ long, short }) => word !== undefined && (long === word || short === word))
}

function takesValue(option: Option | undefined): Option | undefined {
  return option?.required ? option : undefined
}

/** An option with a value may be given again. */
function optionWords(leaf: Command, rest: readonly string[]): Values['words'] {
  return leaf.options
    .filter(({ hidden, long, required }) => !hidden && long && (required || !rest.includes(long)))
    .map(({ long, description }) => ({ word: long ?? '', about: description }))
    .concat({ word: '--help', about: 'Show help' })
}

function prefixed(values: Values, prefix: string): Values {
  return { ...values, words: values.words.map(({ word, about }) => ({ word: prefix + word, about })) }
}
