import type { Argument, Option } from 'commander'
import { webhookEventTypes } from '../../contract/enums.ts'
import { shownPlace } from '../../domain/database-address.ts'
import type { Io } from '../base/io.ts'
import { isService, readConfig } from '../connection/config-file.ts'
import { configPath } from '../connection/target-settings.ts'

export type Word = { word: string; about: string }

/** `files`: file names fit too. `isOpen`: the value may continue, as a list with commas. */
export type Values = { words: readonly Word[]; files: boolean; isOpen: boolean; recent?: Recent }

export type Recent = 'manifest' | 'fulfillment' | 'transfer' | 'qid'

export const noValues: Values = { words: [], files: false, isOpen: false }

/** Decided by the placeholder in the help, such as `<file>`. */
export function valuesOfOption({ argChoices, flags }: Option, begun: string, io: Io): Values {
  if (argChoices) return { ...noValues, words: plain(argChoices) }
  return valuesNamed(/[<[]([^<>[\]]+)[>\]]/.exec(flags)?.[1] ?? '', flags, begun, io)
}

export function valuesOfArgument(argument: Argument, begun: string, io: Io): Values {
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

export function listed(names: readonly string[], begun: string): Values {
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
