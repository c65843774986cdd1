import { own } from '../../contract/own.ts'
import { didYouMean, usage } from '../base/cli-error.ts'
import type { CommandFile } from '../command.ts'
import { type Config, profileNamed, readConfig } from '../connection/config-file.ts'
import { changeConfig } from '../connection/save-config.ts'
import { configPath } from '../connection/target-settings.ts'
import { columnsOf, type View } from '../output/columns.ts'

type Setting = { setting: string; value: unknown; about: string }

const view: View = {
  columns: columnsOf<Setting>({ name: 'setting', kind: 'id' }, 'value', { name: 'about', kind: 'long' }),
}

export const list: CommandFile<[]> = {
  summary: 'List the settings',
  details: 'Profiles have their own commands: custody profiles. The file is named on stderr.',
  examples: ['config list', 'config list --json'],
  isOffline: true,
  view: () => view,
  async run(session) {
    const path = configPath(session.io.env)
    const config = readConfig(path)
    const rows = settingNames.map((setting): Setting => {
      const { get, about } = settingNamed(setting)
      return { setting, value: get(config) ?? null, about }
    })
    await (await session.printer()).all(rows)
    session.notice(path)
  },
}

export const get: CommandFile<[string]> = {
  summary: 'Print the value of a setting',
  details: 'Prints an empty line if it is not set.',
  examples: ['config get profile', 'config get excel'],
  define: (get) => get.argument('<setting>', 'Setting name (see: custody config list)'),
  isOffline: true,
  isPlain: true,
  async run({ io }, name) {
    const { get } = settingNamed(name)
    io.out.write(`${get(readConfig(configPath(io.env))) ?? ''}\n`)
  },
}

export const set: CommandFile<[string, string | undefined]> = {
  summary: 'Change a setting; without a value, remove it',
  examples: ['config set profile northgate', 'config set excel true', 'config set excel'],
  define: (set) =>
    set
      .argument('<setting>', 'Setting name (see: custody config list)')
      .argument('[value]', 'New value; without it, the setting is removed'),
  isOffline: true,
  isPlain: true,
  async run({ io, notice }, name, value) {
    const { set } = settingNamed(name)
    changeConfig(configPath(io.env), (config) => set(config, value))
    notice(value === undefined ? `${name} is no longer set.` : `${name} is ${value}.`)
  },
}

type Field = {
  about: string
  get: (config: Config) => string | undefined
  /** Throws `usage` or `not_found` for an invalid value; undefined removes the setting. */
  set: (config: Config, value: string | undefined) => Config
}

const settings: Readonly<Record<string, Field>> = {
  profile: {
    about: 'the profile that commands use unless --profile names another',
    get: ({ current }) => current,
    set(config, value) {
      const { current: _, ...others } = config
      if (value === undefined) return others
      profileNamed(config, value)
      return { ...others, current: value }
    },
  },
  excel: {
    about: 'write all CSV for Excel: true, or the list separator of Excel (, or ;)',
    get: ({ excel }) => excel?.toString(),
    set(config, value) {
      const { excel: _, ...others } = config
      if (value === undefined || value === 'false') return others
      if (value !== 'true' && value !== ',' && value !== ';')
        throw usage(`excel: "${value}" is not one of true, false, "," and ";".`)
      return { ...others, excel: value === 'true' ? true : value }
    },
  },
}

const settingNames = Object.keys(settings)

function settingNamed(name: string): Field {
  const found = own(settings, name)
  if (found !== undefined) return found
  const all = `The settings are ${settingNames.join(', ')}.`
  throw usage(`There is no setting "${name}".`, didYouMean(name, settingNames, all))
}
