import type { ScopeClock } from '../store/tables/scopes.ts'
import type { ClockAndRandom } from './context.ts'

/** Where a scope's time stood when this process found it ahead of the machine's, and when that was; milliseconds. */
type Ahead = { at: number; since: number }

const aheadBySources = new WeakMap<ClockAndRandom, Map<string, Ahead>>()

/**
 * The scope's time, UTC with milliseconds: the machine's and the scope's own offset, and never less than the last one handed
 * out. Where the machine's clock was set back, the scope's goes on from there at half its speed until it is caught up: were
 * it to stand still, everything that waits in the scope would wait for as long as the clock was wrong.
 */
export function scopeTime(sources: ClockAndRandom, clock: ScopeClock): string {
  const machine = sources.clock()
  const lastAt = Date.parse(clock.last_at)
  const time = Math.max(machine + clock.clock_offset_ms, slowTime(sources, clock, machine))
  if (time >= lastAt) return new Date(time).toISOString()
  noteAhead(sources, clock, { at: lastAt, since: machine })
  return clock.last_at
}

/** How many milliseconds the scope's last time lies ahead of the machine's clock; negative where it does not. */
export function millisecondsAhead(sources: ClockAndRandom, { last_at, clock_offset_ms }: ScopeClock): number {
  return Date.parse(last_at) - sources.clock() - clock_offset_ms
}

/** Once the machine has caught up, it is ahead of this for good. */
function slowTime(sources: ClockAndRandom, clock: ScopeClock, machine: number): number {
  const ahead = aheadBySources.get(sources)?.get(nameOf(clock))
  if (!ahead || machine < ahead.since) return Number.NEGATIVE_INFINITY
  return Math.floor(ahead.at + (machine - ahead.since) / 2)
}

function noteAhead(sources: ClockAndRandom, clock: ScopeClock, ahead: Ahead): void {
  const noted = aheadBySources.get(sources) ?? new Map<string, Ahead>()
  aheadBySources.set(sources, noted.set(nameOf(clock), ahead))
}

function nameOf({ partner_id, environment }: ScopeClock): string {
  return `${partner_id} ${environment}`
}
