import { shownPlace } from '../../../domain/database-address.ts'
import { usage } from '../../base/cli-error.ts'
import type { CommandFile } from '../../command.ts'
import { shownKey } from '../../connection/api-key.ts'
import {
  isService,
  type Profile,
  profileNamed,
  readConfig,
  readProfiles,
} from '../../connection/config-file.ts'
import { configPath } from '../../connection/target-settings.ts'
import { columnsOf, type View } from '../../output/columns.ts'

type ProfileRow = {
  name: string
  current: boolean
  kind: 'service' | 'embedded' | 'unreadable'
  base_url: string | null
  api_key: string | null
  database: string | null
  partner: string | null
  environment: string | null
}

const profileList: View = {
  columns: columnsOf<ProfileRow>(
    { name: 'current', title: 'in use', of: ({ current }: ProfileRow) => (current ? '*' : '') },
    { name: 'name', kind: 'id' },
    'kind',
    'environment',
    { name: 'target', kind: 'long', of: ({ base_url, database }: ProfileRow) => base_url ?? database },
    'partner',
    { name: 'api_key', title: 'key', kind: 'id' },
  ),
}

const profileRecord: View = {
  columns: columnsOf<ProfileRow>(
    'name',
    { name: 'current', title: 'in use', of: ({ current }: ProfileRow) => (current ? 'yes' : 'no') },
    'kind',
    { name: 'base_url', title: 'base url' },
    { name: 'api_key', title: 'api key' },
    'database',
    'partner',
    'environment',
  ),
}

function profileRow(name: string, profile: Profile | undefined, current: string | undefined): ProfileRow {
  const blank = { base_url: null, api_key: null, database: null, partner: null }
  const environment = profile?.environment ?? null
  const head = { name, current: name === current }
  if (profile === undefined) return { ...head, kind: 'unreadable', ...blank, environment }
  if (!isService(profile)) {
    const { database, partner } = profile
    return { ...head, kind: 'embedded', ...blank, database: shownPlace(database), partner, environment }
  }
  const { api_key: key, api_key_command: command } = profile
  const api_key = key === undefined ? (command ?? null) && `printed by: ${command}` : shownKey(key)
  return { ...head, kind: 'service', ...blank, base_url: profile.base_url, api_key, environment }
}

export const ls: CommandFile<[]> = {
  summary: 'List profiles',
  examples: ['profiles ls', 'profiles ls --json'],
  isOffline: true,
  view: () => profileList,
  async run(session) {
    const config = readConfig(configPath(session.io.env))
    const rows = readProfiles(config)
    await (await session.printer()).all(
      rows.map(({ name, profile }) => profileRow(name, profile, config.current)),
    )
    for (const { fault } of rows) if (fault !== undefined) session.notice(fault)
    if (rows.length === 0) session.notice('no profiles yet; create one with: custody init')
  },
}

export const show: CommandFile<[string | undefined]> = {
  summary: 'Show a profile, without its key',
  examples: ['profiles show', 'profiles show northgate'],
  define: (show) => show.argument('[profile]', 'Profile name (default: the current one)'),
  isOffline: true,
  view: () => profileRecord,
  async run(session, given) {
    const config = readConfig(configPath(session.io.env))
    const name = given ?? config.current
    if (name === undefined) throw usage('No profile is current; name one.', 'See: custody profiles ls')
    const row = profileRow(name, profileNamed(config, name), config.current)
    await (await session.printer()).one(row)
  },
}
