import { ServiceError } from '../../client/client.ts'
import { CliError } from '../base/cli-error.ts'
import type { Target } from './target-type.ts'

/** In milliseconds; a sandbox may be ahead of the machine's `now`. */
export async function scopeTime(
  { client, environment }: Pick<Target, 'client' | 'environment'>,
  now: number,
): Promise<number> {
  if (environment === 'production') return now
  try {
    return Date.parse((await client.getClock({})).data.now)
  } catch (error) {
    const isProduction = error instanceof ServiceError && error.status === 404
    if (isProduction || (error instanceof CliError && error.ending === 'not_offered')) return now
    throw error
  }
}
