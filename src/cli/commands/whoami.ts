import { shownPlace } from '../../domain/database-address.ts'
import type { LoneCommand, Session } from '../command.ts'
import { readKey, shownKey } from '../connection/api-key.ts'
import { type Origin, originText, type ServiceSettings, type TargetSettings } from '../connection/target.ts'
import { configPath, targetSettings } from '../connection/target-settings.ts'
import { columnsOf, type View } from '../output/columns.ts'

export const command: LoneCommand<[]> = {
  details: 'Does not connect: use custody doctor for that.',
  examples: ['whoami', 'whoami --profile northgate --json'],
  view: () => view,
  async run(session) {
    const { io, options } = session
    const settings = targetSettings(io, options)
    const rows = [...rowsOf(session, settings), fileRow(session)]
    const printer = await session.printer()
    if (printer.isWhole) return printer.one(objectOf(settings, rows))
    await printer.all(rows)
  },
}

type Row = { setting: string; value: string | null; source: string }

const view: View = {
  columns: columnsOf<Row>('setting', { name: 'value', kind: 'long' }, { name: 'source', title: 'from' }),
}

function rowsOf(session: Session, settings: TargetSettings): Row[] {
  const { profile, environment } = settings
  const target = settings.kind === 'service' ? settings.baseUrl : settings.database
  const own =
    settings.kind === 'service'
      ? [row('base_url', target.value, target), row('api_key', keyText(session, settings), settings.apiKey)]
      : [
          row('database', shownPlace(target.value), target),
          row('partner', settings.partner.value, settings.partner),
        ]
  return [
    row('profile', profile?.value, profile),
    row('target', settings.kind, target),
    ...own,
    row('environment', environment?.value, environment),
  ]
}

/** Shows an unreadable key file as such, because people run this command to find that fault. */
function keyText({ io }: Session, { apiKey }: ServiceSettings): string | undefined {
  if (apiKey === undefined) return undefined
  if ('command' in apiKey.value) return `printed by: ${apiKey.value.command}`
  try {
    return shownKey(readKey(io, apiKey.value, originText(apiKey)))
  } catch (error) {
    return `none: ${(error as Error).message}`
  }
}

function row(setting: string, value: string | undefined, origin: Origin | undefined): Row {
  if (value === undefined || origin === undefined) return { setting, value: null, source: 'not set' }
  return { setting, value, source: originText(origin) }
}

function fileRow({ io }: Session): Row {
  const source = io.env.XDG_CONFIG_HOME ? 'XDG_CONFIG_HOME' : 'default'
  return { setting: 'config_file', value: configPath(io.env), source }
}

function objectOf({ kind }: TargetSettings, rows: readonly Row[]): Record<string, unknown> {
  const named = rows.filter(({ setting }) => setting !== 'target')
  const settings = named.map(({ setting, value, source }) => [setting, { value, source }])
  return { target: kind, ...Object.fromEntries(settings) }
}
