import { readFileSync, statSync } from 'node:fs'
import { usage } from '../base/cli-error.ts'
import { rejectShared } from '../base/durable-file.ts'
import { type Config, configFrom, noConfig } from './profiles.ts'

/** Uses no library, because every command reads it. Empty if missing. Throws `usage` if invalid, or if others can read it. */
export function readConfig(path: string): Config {
  const stat = inWords(path, () => statSync(path, { throwIfNoEntry: false }))
  if (stat === undefined) return noConfig
  rejectShared(path, stat, 'API keys')
  const text = inWords(path, () => readFileSync(path, 'utf8'))
  return configFrom(parse(text, path), path)
}

function inWords<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw usage(`${path} cannot be read: ${(error as Error).message}.`)
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usage(
      `${path} is not valid JSON: ${(error as Error).message}.`,
      'Correct it, or delete it and run: custody init',
    )
  }
}
