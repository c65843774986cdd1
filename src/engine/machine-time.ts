import { judgeTime, type Lifetime, type SeenTime, type TimeRecord } from '../domain/time-certainty.ts'
import { readMachineTime, saveMachineTime } from '../store/tables/machine-time.ts'
import type { ClockAndRandom, Workplace } from './context.ts'

/** Both clocks at the last look, and since when (on the monotonic one) time has gone on evenly. */
type Watch = { machine: number; uptime: number; steadyFrom: number; jumps: number }

const watches = new WeakMap<ClockAndRandom, Watch>()

/** Where time is judged; `lifetime` left out: by a service. */
export type TimePlace = Pick<Workplace, 'db' | 'sources'> & { lifetime?: Lifetime }

/** How far the two clocks may drift apart between two looks: ordinary adjustments are far smaller. */
const partedMaxMs = 60_000
/** How often the record is written: not at every look. */
const sureKeptMs = 15 * 60_000

/** Looks at both clocks of this process: they drift apart when the machine's is set. */
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

/**
 * The machine's time in milliseconds if it is certain enough for what cannot be undone, else null. What is done goes by this time:
 * a clock that is read once more may have been set meanwhile. Records its finding for other processes.
 */
export async function sureTime({ db, sources, lifetime = 'lasting' }: TimePlace): Promise<number | null> {
  const seen = seeTime(sources)
  const known = await db.read(readMachineTime, { single: true })
  const { isSure, record } = judgeTime(known, seen, lifetime)
  if (isWorthSaving(known, record)) await db.write((tx) => saveMachineTime(tx, record), { brief: true })
  return isSure ? seen.now : null
}

function isWorthSaving(known: TimeRecord, found: TimeRecord): boolean {
  if (known.doubted_at !== found.doubted_at) return true
  return Math.abs(Date.parse(found.sure_at) - Date.parse(known.sure_at)) > sureKeptMs
}
