import { timeAt } from '../domain/utc-time.ts'
import type { ScopeClock } from '../store/tables/scopes.ts'
import type { ClockAndRandom } from './context.ts'
import { seeTime } from './machine-time.ts'

/** Where a scope's time stood when this process found it ahead of the machine's, and how long it had run; milliseconds. */
type Ahead = { at: number; since: number }

const aheadBySources = new WeakMap<ClockAndRandom, Map<string, Ahead>>()

/**
 * The scope's time, UTC with milliseconds: the machine's and the scope's own offset, and never less than the last one handed
 * out. Where the machine's clock was set back, the scope's goes on from there at half its speed until it is caught up: were
 * it to stand still, everything that waits in the scope would wait for as long as the clock was wrong.
 */
export function scopeTime(sources: ClockAndRandom, clock: ScopeClock): string {
  const machine = seeTime(sources).now
  const lastAt = Date.parse(clock.last_at)
  const time = Math.max(machine + clock.clock_offset_ms, slowTime(sources, clock))
  if (time >= lastAt) return timeAt(time)
  noteAhead(sources, clock, { at: lastAt, since: sources.uptime() })
  return clock.last_at
}

/** A time of the machine, in milliseconds, with the scope's own offset, whatever was handed out before. */
export function machineTime(now: number, clock: Pick<ScopeClock, 'clock_offset_ms'>): string {
  return timeAt(now + clock.clock_offset_ms)
}

/** How many milliseconds the scope's last time lies ahead of the machine's clock; negative where it does not. */
export function millisecondsAhead(sources: ClockAndRandom, { last_at, clock_offset_ms }: ScopeClock): number {
  return Date.parse(last_at) - sources.clock() - clock_offset_ms
}

/** By the clock that cannot be set: half of how far the machine's was corrected would be no time that passed. */
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
