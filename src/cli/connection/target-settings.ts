import { homedir } from 'node:os'
import { join } from 'node:path'
import { usage } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { readConfig } from './config-file.ts'
import type { Config } from './profiles.ts'
import { type EmbeddedSettings, resolveTarget, type TargetOptions, type TargetSettings } from './target.ts'

/** The target of a run, and where each of its settings was found. Throws `usage` where they contradict. */
export function targetSettings(io: Io, options: TargetOptions): TargetSettings {
  let config: Config | undefined
  return resolveTarget(options, {
    env: io.env,
    cwd: io.cwd,
    defaultDatabase: join(dataFolder(io.env), 'sandbox.db'),
    config() {
      config ??= readConfig(configPath(io.env))
      return config
    },
  })
}

/** The same, of a target that is a database. Throws `usage` where it is a service. */
export function embeddedSettings(io: Io, options: TargetOptions): EmbeddedSettings {
  const settings = targetSettings(io, options)
  if (settings.kind === 'embedded') return settings
  throw usage(
    `This needs a database, and the target is the service ${settings.baseUrl.value}.`,
    'Name a database with --database.',
  )
}

/** Where this user's profiles are kept. */
export function configPath(env: Io['env']): string {
  return join(userFolder(env, 'XDG_CONFIG_HOME', '.config'), 'config.json')
}

/** Where this user's data are kept: of the XDG directories, or what Windows has instead. */
export function dataFolder(env: Io['env']): string {
  return userFolder(env, 'XDG_DATA_HOME', '.local/share')
}

/** Where journals of imports are kept: they may be lost without harm. */
export function stateFolder(env: Io['env']): string {
  return userFolder(env, 'XDG_STATE_HOME', '.local/state')
}

function userFolder(env: Io['env'], variable: string, below: string): string {
  const home = env.HOME || homedir()
  const base = env[variable] || (process.platform === 'win32' && env.LOCALAPPDATA) || join(home, below)
  return join(base, 'custody')
}
