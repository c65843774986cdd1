import { type Argument, Command, Option } from 'commander'
import type { Client } from '../../client/client.ts'
import { webhookEventTypes } from '../../contract/enums.ts'
import { shownPlace } from '../../domain/database-address.ts'
import type { Io } from '../base/io.ts'
import { quoted } from '../base/shell-word.ts'
import { ifPossible } from '../base/system-fault.ts'
import { harmless } from '../base/terminal-text.ts'
import type { Load, LoneCommand, Noun, Session } from '../command.ts'
import { addCommonOptions, namedBy, orderArguments } from '../command-line/argv.ts'
import { isService, noConfig, readConfig, readProfiles } from '../connection/config-file.ts'
import { isMissingFile } from '../connection/database-place.ts'
import type { TargetOptions } from '../connection/target.ts'
import { configPath, targetSettings } from '../connection/target-settings.ts'
import { columnNames, mainPart } from '../output/choose-columns.ts'
import { helpTopics } from '../output/help-topics.ts'

export type Word = { word: string; about: string }

/** `files`: file names fit too. `isOpen`: the value may continue, as a list with commas. */
type Values = { words: readonly Word[]; files: boolean; isOpen: boolean; recent?: Recent }

type Recent = keyof typeof recents

const noValues: Values = { words: [], files: false, isOpen: false }

/** Decided by the placeholder in the help, such as `<file>`, or by the flag. */
function valuesOf(one: Option | Argument, begun: string, io: Io): Values {
  if (one.argChoices) return { ...listed(one.argChoices, begun), isOpen: false }
  const flag = one instanceof Option ? /^--(profile$|manifest)/.exec(one.long ?? '')?.[1] : undefined
  const name = one instanceof Option ? /[<[]([^<>[\]]+)[>\]]/.exec(one.flags)?.[1] : one.name()
  switch (flag ?? name) {
    case 'file':
    case 'database':
      return { ...noValues, files: true }
    case 'types':
      return listed(webhookEventTypes, begun)
    case 'profile':
      return { ...noValues, words: profileWords(io) }
    case 'manifest':
    case 'fulfillment':
    case 'transfer':
    case 'qid':
      return { ...noValues, recent: (flag ?? name) as Recent }
    case 'item':
      return { ...noValues, recent: 'qid' }
    default:
      return noValues
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
  const config = ifPossible(() => readConfig(configPath(io.env)))
  return readProfiles(config ?? noConfig).map(({ name: word, profile }) => {
    if (profile === undefined) return { word, about: '' }
    return { word, about: isService(profile) ? profile.base_url : shownPlace(profile.database) }
  })
}

/** Completion does not wait for a service that does not answer. */
const maxWait = '1s'
const query = { page: 1, page_size: 100 }

/** The newest names that need no quotes and do not look like options. None if the target cannot be reached. */
async function recentNames(io: Io, kind: Recent, rest: readonly string[], begun: string): Promise<Word[]> {
  try {
    const leaf = leafOf(anyCommand).exitOverride()
    leaf.parseOptions([...rest])
    const options = { ...leaf.opts<TargetOptions>(), maxWait, seed: false }
    const settings = targetSettings(io, options)
    if (settings.kind === 'embedded' && isMissingFile(settings.database.value)) return []
    const { connect } = await import('../connection/connect.ts')
    const { client, close } = await connect(io, options, () => {})
    try {
      return (await recents[kind](client))
        .filter(({ word }) => word.startsWith(begun) && !word.startsWith('-') && quoted(word) === word)
        .map(({ word, about }) => ({ word, about: harmless(about) }))
    } finally {
      await close()
    }
  } catch {
    return []
  }
}

const recents = {
  manifest: async ({ listManifests }: Client) =>
    (await listManifests({ query })).data.results.map(named(({ reference }) => reference)),
  fulfillment: async ({ listFulfillments }: Client) =>
    (await listFulfillments({ query })).data.results.map(named(({ external_ref, id }) => external_ref ?? id)),
  transfer: async ({ listTransfers }: Client) =>
    (await listTransfers({ query })).data.results.map(named(({ external_ref, id }) => external_ref ?? id)),
  qid: async ({ listItems }: Client) =>
    (await listItems({ query })).data.results.map(({ qid, name }) => ({ word: qid, about: name })),
}

function named<T extends { status: string }>(nameOf: (found: T) => string): (found: T) => Word {
  return (found) => ({ word: nameOf(found), about: found.status })
}

/** `current`: the word at the cursor, as far as it is typed. */
export async function candidates(
  session: Session,
  before: readonly string[],
  current: string,
): Promise<Values> {
  const { io, program } = session
  const ordered = orderArguments(before)
  const isHelp = ordered[0] === 'help'
  const given = isHelp ? ordered.slice(1) : ordered
  const { words, names, load } = namedBy(given, program.nouns)
  const rest = given.slice(words.length)
  if (isHelp && (load || rest.length > 0)) return noValues
  const file = load ? (await load()).command : anyCommand
  const leaf = leafOf(file)
  const [, flag, begun = ''] = /^(--[\w-]+)=(.*)$/s.exec(current) ?? []
  if (flag !== undefined && takesValue(optionNamed(leaf, flag)) && !rest.includes('--')) {
    const found = await candidates(session, [...before, flag], begun)
    return { ...found, words: found.words.map(({ word, about }) => ({ word: `${flag}=${word}`, about })) }
  }
  const values =
    optionValues(leaf, file, rest, current, io) ??
    (load
      ? argumentValues(leaf, rest, current, io)
      : await groupValues(leaf, rest, { names, isTop: words.length === 0, isHelp }))
  if (values.recent) return { ...values, words: await recentNames(io, values.recent, rest, current) }
  return { ...values, words: values.words.filter(({ word }) => word.startsWith(current)) }
}

function leafOf(file: LoneCommand<never[]>): Command {
  const leaf = new Command()
  file.define?.(leaf)
  addCommonOptions(leaf, file)
  return leaf
}

const anyCommand: LoneCommand<never[]> = {
  examples: [],
  view: () => undefined,
  run: async () => {},
}
const globalOptions = [
  { word: '--help', about: 'Show help' },
  { word: '--version', about: 'Show the version' },
]

async function groupValues(
  leaf: Command,
  rest: readonly string[],
  { names, isTop, isHelp }: { names: Readonly<Record<string, Noun | Load>>; isTop: boolean; isHelp: boolean },
): Promise<Values> {
  if (positionals(leaf, rest) > 0) return noValues
  const words: Word[] = []
  for (const [word, known] of Object.entries(names)) {
    if (typeof known === 'function') words.push({ word, about: (await known()).command.summary })
    else if (!('isHidden' in known && known.isHidden)) words.push({ word, about: known.summary })
  }
  if (isTop && isHelp) words.push(...Object.entries(helpTopics).map(([word, { about }]) => ({ word, about })))
  else if (isTop) words.push({ word: 'help', about: 'Show help for a command' })
  return { ...noValues, words }
}

/** Undefined unless the cursor is at an option or its value. */
function optionValues(
  leaf: Command,
  file: LoneCommand<never[]>,
  rest: readonly string[],
  current: string,
  io: Io,
): Values | undefined {
  if (rest.includes('--')) return undefined
  const pending = takesValue(optionNamed(leaf, rest.at(-1)))
  const isOfMain = pending?.long === '--columns'
  const hasColumns = isOfMain || pending?.long === '--summary-columns'
  const view = hasColumns && !file.isPlain ? file.view('table') : undefined
  if (view) return listed(columnNames((isOfMain && mainPart(view)) || view), current)
  if (pending) return valuesOf(pending, current, io)
  if (!current.startsWith('-')) return undefined
  return { ...noValues, words: file === anyCommand ? globalOptions : optionWords(leaf, rest) }
}

function argumentValues(leaf: Command, rest: readonly string[], current: string, io: Io): Values {
  const { registeredArguments: known } = leaf
  const argument = known[positionals(leaf, rest)] ?? (known.at(-1)?.variadic ? known.at(-1) : undefined)
  return argument ? valuesOf(argument, current, io) : noValues
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
