import { shownPlace } from '../../domain/database-address.ts'
import { shownKey } from '../connection/api-key.ts'
import { isService, type Profile } from '../connection/config-file.ts'
import { columnsOf, type View } from '../output/columns.ts'

type ProfileRow = {
  name: string
  current: boolean
  kind: 'service' | 'embedded'
  base_url: string | null
  api_key: string | null
  database: string | null
  partner: string | null
  environment: string | null
}

export const profileList: View = {
  columns: columnsOf<ProfileRow>(
    { name: 'current', title: 'in use', of: ({ current }: ProfileRow) => (current ? '*' : '') },
    { name: 'name', kind: 'id' },
    { name: 'kind' },
    { name: 'environment' },
    { name: 'target', kind: 'long', of: ({ base_url, database }: ProfileRow) => base_url ?? database },
    { name: 'partner' },
    { name: 'api_key', title: 'key', kind: 'id' },
  ),
}

export const profileRecord: View = {
  columns: columnsOf<ProfileRow>(
    { name: 'name' },
    { name: 'current', title: 'in use', of: ({ current }: ProfileRow) => (current ? 'yes' : 'no') },
    { name: 'kind' },
    { name: 'base_url', title: 'base url' },
    { name: 'api_key', title: 'api key' },
    { name: 'database' },
    { name: 'partner' },
    { name: 'environment' },
  ),
}

export function profileRow(name: string, profile: Profile, current: string | undefined): ProfileRow {
  const blank = { base_url: null, api_key: null, database: null, partner: null }
  const environment = profile.environment ?? null
  const head = { name, current: name === current }
  if (!isService(profile)) {
    const { database, partner } = profile
    return { ...head, kind: 'embedded', ...blank, database: shownPlace(database), partner, environment }
  }
  const { api_key: key, api_key_command: command } = profile
  const api_key = key === undefined ? (command ?? null) && `printed by: ${command}` : shownKey(key)
  return { ...head, kind: 'service', ...blank, base_url: profile.base_url, api_key, environment }
}
