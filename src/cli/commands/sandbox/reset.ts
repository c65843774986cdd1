import { existsSync } from 'node:fs'
import { confirm, confirmable } from '../../ask/ask.ts'
import type { CommandFile, Session } from '../../command.ts'
import { embeddedSettings } from '../../connection/target-settings.ts'

export const command: CommandFile<[]> = {
  summary: 'Delete the embedded sandbox and create it again',
  examples: ['sandbox reset --yes', 'sandbox reset --no-seed --yes'],
  define: (reset) => confirmable(reset),
  isPlain: true,
  run,
}

async function run(session: Session): Promise<void> {
  const { io, options, notice, writingTo } = session
  const settings = embeddedSettings(io, options)
  const { checkDisposable, resetDatabase } = await import('../../connection/reset-database.ts')
  await checkDisposable(settings)
  const file = settings.database.value
  const target = { environment: settings.environment.value, label: `embedded database ${file}` }
  if (existsSync(file)) await confirm(session, `Delete everything in ${file}?`, () => writingTo(target))
  await resetDatabase(settings, options, notice)
}
