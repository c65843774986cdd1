import { timeAt } from '../domain/utc-time.ts'
import type { ScopeClock } from '../store/tables/scopes.ts'
import type { ClockAndRandom } from './context.ts'
import { seeTime } from './machine-time.ts'

/** When this process found the scope ahead of the machine, `at` was the scope's time and `since` the uptime, in milliseconds. */
type Ahead = { at: number; since: number }

const aheadBySources = new WeakMap<ClockAndRandom, Map<string, Ahead>>()

/**
 * The machine's time plus the scope's offset (UTC, milliseconds), never before the last one handed out. If the machine's clock
 * was set back, it runs at half speed until caught up: a stopped clock would block everything that waits in the scope.
 */
export function scopeTime(sources: ClockAndRandom, clock: ScopeClock): string {
  const machine = seeTime(sources).now
  const lastAt = Date.parse(clock.last_at)
  const time = Math.max(machine + clock.clock_offset_ms, slowTime(sources, clock))
  if (time >= lastAt) return timeAt(time)
  noteAhead(sources, clock, { at: lastAt, since: sources.uptime() })
  return clock.last_at
}

/** Ignores times handed out before; `now` in milliseconds. */
export function machineTime(now: number, clock: Pick<ScopeClock, 'clock_offset_ms'>): string {
  return timeAt(now + clock.clock_offset_ms)
}

/** How far the scope's last time is ahead of the machine, in milliseconds; negative if behind. */
export function millisecondsAhead(sources: ClockAndRandom, { last_at, clock_offset_ms }: ScopeClock): number {
  return Date.parse(last_at) - sources.clock() - clock_offset_ms
}

/** Uses the monotonic clock: correcting the machine's clock is not time that passed. */
function slowTime(sources: ClockAndRandom, clock: ScopeClock): number {
  const ahead = aheadBySources.get(sources)?.get(nameOf(clock))
  return ahead ? Math.floor(ahead.at + (sources.uptime() - ahead.since) / 2) : Number.NEGATIVE_INFINITY
}

function noteAhead(sources: ClockAndRandom, clock: ScopeClock, ahead: Ahead): void {
  const noted = aheadBySources.get(sources) ?? new Map<string, Ahead>()
  aheadBySources.set(sources, noted.set(nameOf(clock), ahead))
}

function nameOf({ partner_id, environment }: ScopeClock): string {
  return `${partner_id} ${environment}`
}
