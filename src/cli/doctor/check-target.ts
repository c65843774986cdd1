import type { Io } from '../base/io.ts'
import type { TargetSettings } from '../connection/target.ts'
import type { ServiceCheck } from './check-service.ts'

/** Checks a target of either sort. Changes nothing. `maxWait`: as --max-wait gives it. */
export async function checkTarget(io: Io, settings: TargetSettings, maxWait?: string): Promise<ServiceCheck> {
  if (settings.kind === 'service') {
    const { checkService } = await import('./check-service.ts')
    return checkService(io, settings, { maxWait })
  }
  const { checkDatabase } = await import('./check-database.ts')
  return { checks: await checkDatabase(io, settings), environment: settings.environment.value }
}
