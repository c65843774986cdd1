import { ServiceError } from '../../client/client.ts'
import { CliError } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { isAge } from '../base/times.ts'
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

/** The time that ages, such as 7d, count from. Asks only if one of `texts` is an age. */
export async function timeOfAges(
  { io, target }: { io: Pick<Io, 'now'>; target: () => Promise<Target> },
  texts: readonly unknown[],
): Promise<number> {
  return texts.some((text) => isAge(String(text))) ? scopeTime(await target(), io.now()) : io.now()
}
