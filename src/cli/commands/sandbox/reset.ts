import { existsSync } from 'node:fs'
import type { CommandFile } from '../../command.ts'
import { confirm, confirmable } from '../../confirm.ts'
import type { Session } from '../../session.ts'
import { embeddedSettings } from '../../target-settings.ts'

export const command: CommandFile<[]> = {
  summary: 'throw away the embedded sandbox and make it anew',
  examples: ['sandbox reset --yes', 'sandbox reset --no-seed --yes'],
  define: (reset) => confirmable(reset),
  isPlain: true,
  run,
}

async function run(session: Session): Promise<void> {
  const { io, options, notice } = session
  const settings = embeddedSettings(io, options)
  const file = settings.database.value
  if (existsSync(file)) await confirm(session, `Throw away everything in ${file}?`)
  const { resetDatabase } = await import('../../connect.ts')
  await resetDatabase(settings, options, notice)
}
