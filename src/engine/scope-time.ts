import { judgeTime, type Lifetime, type SeenTime, type TimeRecord } from '../domain/time-certainty.ts'
import { timeAt } from '../domain/utc-time.ts'
import { readMachineTime, saveMachineTime } from '../store/tables/leases.ts'
import type { ScopeClock } from '../store/tables/scopes.ts'
import type { ClockAndRandom, Workplace } from './context.ts'

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

/** Both clocks at the last comparison; `steadyFrom`: the uptime since which they have agreed. */
type Watch = { machine: number; uptime: number; steadyFrom: number; jumps: number }

const watches = new WeakMap<ClockAndRandom, Watch>()

/** `lifetime` defaults to a service's. */
export type TimePlace = Pick<Workplace, 'db' | 'sources'> & { lifetime?: Lifetime }

/** Allowed drift between two comparisons; ordinary adjustments are far smaller. */
const partedMaxMs = 60_000
const certainKeptMs = 15 * 60_000

/** Compares both clocks: they drift apart when the machine's is set. */
export function seeTime(sources: ClockAndRandom): SeenTime {
  const machine = sources.clock()
  const uptime = sources.uptime()
  const before = watches.get(sources)
  const parted = before ? machine - before.machine - (uptime - before.uptime) : 0
  const isEven = before !== undefined && Math.abs(parted) <= partedMaxMs
  const steadyFrom = isEven ? before.steadyFrom : uptime
  const jumps = before === undefined ? 0 : before.jumps + (isEven ? 0 : 1)
  watches.set(sources, { machine, uptime, steadyFrom, jumps })
  return { now: machine, steadyMs: uptime - steadyFrom, jumps }
}

/** The machine's time (ms) if certain enough for irreversible work. Do not read the clock again: it may have been set. */
export async function certainTime({ db, sources, lifetime = 'lasting' }: TimePlace): Promise<number | null> {
  const seen = seeTime(sources)
  const known = await db.read(readMachineTime, { single: true })
  const { isSure, record } = judgeTime(known, seen, lifetime)
  if (isWorthSaving(known, record)) await db.write((tx) => saveMachineTime(tx, record), { brief: true })
  return isSure ? seen.now : null
}

function isWorthSaving(known: TimeRecord, found: TimeRecord): boolean {
  if (known.doubted_at !== found.doubted_at) return true
  return Math.abs(Date.parse(found.sure_at) - Date.parse(known.sure_at)) > certainKeptMs
}
