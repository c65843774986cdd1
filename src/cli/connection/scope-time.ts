import { ServiceError } from '../../client/client.ts'
import { CliError } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { isAge, skewMaxMs } from '../base/times.ts'
import type { Target } from './target-type.ts'

type Place = { io: Pick<Io, 'now'>; target: () => Promise<Pick<Target, 'client' | 'environment'>> }

/** In milliseconds; a sandbox may be ahead of the machine, whose clock may be wrong. */
export async function scopeTime({ io, target }: Place): Promise<number> {
  const { client, environment } = await target()
  try {
    if (environment !== 'production') return Date.parse((await client.getClock({})).data.now)
  } catch (error) {
    const isProduction = error instanceof ServiceError && error.status === 404
    if (!isProduction && !(error instanceof CliError && error.ending === 'not_offered')) throw error
  }
  const [now, { headers }] = [io.now(), await client.getItemSummary({})]
  const told = Date.parse(headers.date ?? '')
  // The header leaves out milliseconds; without them, the newest items would lie in the future.
  return Math.abs(told - now) > skewMaxMs ? told + 999 : now
}

/** The time that ages, such as 7d, count from. Asks only if one of `texts` is an age. */
export async function timeOfAges(place: Place, texts: readonly unknown[]): Promise<number> {
  return texts.some((text) => isAge(String(text))) ? scopeTime(place) : place.io.now()
}
