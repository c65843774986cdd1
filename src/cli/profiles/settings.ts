import { own } from '../../contract/own.ts'
import { didYouMean, usage } from '../base/cli-error.ts'
import { type Config, profileNamed } from '../connection/config-file.ts'

type Setting = {
  about: string
  get: (config: Config) => string | undefined
  /** Throws `usage` or `not_found` for an invalid value; undefined removes the setting. */
  set: (config: Config, value: string | undefined) => Config
}

const settings: Readonly<Record<string, Setting>> = {
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

export const settingNames = Object.keys(settings)

export function settingNamed(name: string): Setting {
  const found = own(settings, name)
  if (found !== undefined) return found
  const all = `The settings are ${settingNames.join(', ')}.`
  throw usage(`There is no setting "${name}".`, didYouMean(name, settingNames, all))
}
