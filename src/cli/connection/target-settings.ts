import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { once } from '../../contract/once.ts'
import { CliError, usage } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { unquoted } from '../base/shell-word.ts'
import { ifPossible } from '../base/system-fault.ts'
import { type Config, noConfig, readConfig } from './config-file.ts'
import { type EmbeddedSettings, resolveTarget, type TargetOptions, type TargetSettings } from './target.ts'

/** Throws `usage` if the settings contradict each other. */
export function targetSettings(io: Io, options: TargetOptions): TargetSettings {
  return resolveTarget(options, {
    env: Object.fromEntries(Object.entries(io.env).map(([name, value = '']) => [name, unquoted(value)])),
    cwd: io.cwd,
    // Looked up only if no target is named: a container may have no home folder.
    get defaultDatabase() {
      return join(dataFolder(io.env), 'sandbox.db')
    },
    config: once(() => configOf(io.env)),
  })
}

/** Throws `usage` if the target is a service. */
export function embeddedSettings(io: Io, options: TargetOptions): EmbeddedSettings {
  const settings = targetSettings(io, options)
  if (settings.kind === 'embedded') return settings
  throw usage(
    `This command needs a database, but the target is the service ${settings.baseUrl.value}.`,
    'Name a database with --database.',
  )
}

/** True if nothing names a target: it is the user's own sandbox. */
export function isOwn({ database }: EmbeddedSettings): boolean {
  return database.source === 'default'
}

export const targetFlags = '--profile, --base-url, or --database'

/** The data of a sandbox created unseen could be taken for real. */
export function rejectUnseen(io: Io, settings: EmbeddedSettings, flags: string): void {
  if (!isOwn(settings) || !isUnseen(io)) return
  throw usage(
    'No target is named, and you have no sandbox yet.',
    `Name one with ${flags}, or create the sandbox with: custody sandbox seed`,
  )
}

/** Repeated at every run, because without a terminal the operator may not know that no target is named. */
export function noticeUnseen(io: Io, settings: EmbeddedSettings, notice: (text: string) => void): void {
  if (isOwn(settings) && isUnseen(io))
    notice(`No target is named: using your sandbox, ${settings.database.value}`)
}

function isUnseen({ stdin, out, err }: Io): boolean {
  return !stdin.isTerminal && !out.isTerminal && !err.isTerminal
}

export function configPath(env: Io['env']): string {
  return join(userFolder(env, 'XDG_CONFIG_HOME', '.config'), 'config.json')
}

export function dataFolder(env: Io['env']): string {
  return userFolder(env, 'XDG_DATA_HOME', '.local/share')
}

/** For files that may be lost without harm, such as the last fault. */
export function stateFolder(env: Io['env']): string {
  return userFolder(env, 'XDG_STATE_HOME', '.local/state')
}

/** Without a home directory there are no profiles. */
export function configOf(env: Io['env']): Config {
  let path: string
  try {
    path = configPath(env)
  } catch (error) {
    if (error instanceof CliError) return noConfig
    throw error
  }
  return readConfig(path)
}

/** The XDG standard says to ignore a relative path in its variables. */
function userFolder(env: Io['env'], variable: string, below: string): string {
  const named = env[variable]
  if (named && isAbsolute(named)) return join(named, 'custody')
  const local = process.platform === 'win32' && env.LOCALAPPDATA
  return join(local || join(homeOf(env, variable), below), 'custody')
}

/** Throws `unreachable` if there is none, as for a container's user. A relative one would depend on the current folder. */
function homeOf(env: Io['env'], variable: string): string {
  const home = env.HOME ?? ifPossible(homedir) ?? ''
  if (isAbsolute(home)) return home
  throw new CliError('unreachable', 'You have no home folder, and custody needs to save files.', {
    hint: `Set HOME, or ${variable} to a folder.`,
  })
}
