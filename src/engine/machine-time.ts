import { judgeTime, type Lifetime, type SeenTime, type TimeRecord } from '../domain/time-certainty.ts'
import { readMachineTime, saveMachineTime } from '../store/tables/machine-time.ts'
import type { ClockAndRandom, Workplace } from './context.ts'

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
