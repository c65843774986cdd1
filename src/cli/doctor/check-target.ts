import type { Io } from '../base/io.ts'
import type { TargetSettings } from '../connection/target.ts'
import type { ServiceCheck } from './check-service.ts'

type Options = { maxWait?: string | undefined; isNew?: boolean }

/** Changes nothing. `isNew`: the database may not exist yet. */
export async function checkTarget(
  io: Io,
  settings: TargetSettings,
  { maxWait, isNew = false }: Options,
): Promise<ServiceCheck> {
  if (settings.kind === 'service') {
    const { checkService } = await import('./check-service.ts')
    return checkService(io, settings, { maxWait, isNew })
  }
  const { checkDatabase } = await import('./check-database.ts')
  return { checks: await checkDatabase(io, settings, isNew), environment: settings.environment.value }
}
