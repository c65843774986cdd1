import { type Argument, Command, type Option } from 'commander'
import type { Client } from '../../client/client.ts'
import { webhookEventTypes } from '../../contract/enums.ts'
import { own } from '../../contract/own.ts'
import { shownPlace } from '../../domain/database-address.ts'
import type { Io } from '../base/io.ts'
import { quoted } from '../base/shell-word.ts'
import { harmless } from '../base/terminal-text.ts'
import type { CommandFile, Load, Noun, Nouns, Session } from '../command.ts'
import { addCommonOptions, commandWords, orderArguments } from '../command-line/argv.ts'
import { isService, readConfig } from '../connection/config-file.ts'
import { isMissingFile } from '../connection/database-place.ts'
import { configPath, targetSettings } from '../connection/target-settings.ts'
import { namesOfColumns } from '../output/choose-columns.ts'
import { helpTopics } from '../output/help-topics.ts'

export type Word = { word: string; about: string }

/** `files`: file names fit too. `isOpen`: the value may continue, as a list with commas. */
type Values = { words: readonly Word[]; files: boolean; isOpen: boolean; recent?: Recent }

type Recent = 'manifest' | 'fulfillment' | 'transfer' | 'qid'

const noValues: Values = { words: [], files: false, isOpen: false }

/** Decided by the placeholder in the help, such as `<file>`. */
function valuesOfOption({ argChoices, flags }: Option, begun: string, io: Io): Values {
  if (argChoices) return { ...noValues, words: plain(argChoices) }
  return valuesNamed(/[<[]([^<>[\]]+)[>\]]/.exec(flags)?.[1] ?? '', flags, begun, io)
}

function valuesOfArgument(argument: Argument, begun: string, io: Io): Values {
  if (argument.argChoices) return { ...noValues, words: plain(argument.argChoices) }
  return valuesNamed(argument.name(), '', begun, io)
}

function valuesNamed(name: string, flags: string, begun: string, io: Io): Values {
  switch (name) {
    case 'file':
    case 'database':
      return { ...noValues, files: true }
    case 'types':
      return listed(webhookEventTypes, begun)
    case 'manifest':
    case 'fulfillment':
    case 'transfer':
    case 'qid':
      return { ...noValues, recent: name }
    case 'item':
      return { ...noValues, recent: 'qid' }
    case 'profile':
      return { ...noValues, words: profileWords(io) }
    default:
      if (flags.startsWith('--manifest-id ')) return { ...noValues, recent: 'manifest' }
      return flags.startsWith('--profile ') ? { ...noValues, words: profileWords(io) } : noValues
  }
}

function listed(names: readonly string[], begun: string): Values {
  const before = begun.slice(0, begun.lastIndexOf(',') + 1)
  const taken = new Set(before.split(','))
  const words = names.filter((name) => !taken.has(name)).map((name) => ({ word: before + name, about: '' }))
  return { words, files: false, isOpen: true }
}

/** None if the configuration cannot be read: completion reports no errors. */
function profileWords(io: Io): Word[] {
  try {
    const { profiles } = readConfig(configPath(io.env))
    return Object.entries(profiles).map(([word, profile]) => ({
      word,
      about: isService(profile) ? profile.base_url : shownPlace(profile.database),
    }))
  } catch {
    return []
  }
}

function plain(words: readonly string[]): Word[] {
  return words.map((word) => ({ word, about: '' }))
}

/** Completion does not wait for a service that does not answer. */
const maxWait = '1s'
const query = { page: 1, page_size: 100 }

/** The newest names that need no quotes and do not look like options. None if the target cannot be reached. */
async function recentNames(io: Io, kind: Recent, rest: readonly string[], begun: string): Promise<Word[]> {
  const options = { ...targetOptions(rest), maxWait, seed: false }
  try {
    const settings = targetSettings(io, options)
    if (settings.kind === 'embedded' && isMissingFile(settings.database.value)) return []
    const { connect } = await import('../connection/connect.ts')
    const { client, close } = await connect(io, options, () => {})
    try {
      const words = (await namesOf(client, kind)).filter(
        ({ word }) => word.startsWith(begun) && !word.startsWith('-') && quoted(word) === word,
      )
      return words.map(({ word, about }) => ({ word, about: harmless(about) }))
    } finally {
      await close()
    }
  } catch {
    return []
  }
}

async function namesOf(client: Client, kind: Recent): Promise<Word[]> {
  switch (kind) {
    case 'manifest': {
      const { data } = await client.listManifests({ query })
      return data.results.map(({ reference, status }) => ({ word: reference, about: status }))
    }
    case 'fulfillment': {
      const { data } = await client.listFulfillments({ query })
      return data.results.map(({ external_ref, id, status }) => ({ word: external_ref ?? id, about: status }))
    }
    case 'transfer': {
      const { data } = await client.listTransfers({ query })
      return data.results.map(({ external_ref, id, status }) => ({ word: external_ref ?? id, about: status }))
    }
    case 'qid': {
      const { data } = await client.listItems({ query })
      return data.results.map(({ qid, name }) => ({ word: qid, about: name }))
    }
  }
}

function targetOptions(rest: readonly string[]): { profile?: string; baseUrl?: string; database?: string } {
  const given = (flag: string): string | undefined => {
    const at = rest.lastIndexOf(flag)
    return at < 0 ? rest.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) : rest[at + 1]
  }
  const named = {
    profile: given('--profile'),
    baseUrl: given('--base-url'),
    database: given('--database'),
  }
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined))
}

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
