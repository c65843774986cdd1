import { v7 } from 'uuid'
import type { ClockAndRandom } from './context.ts'

/** A UUIDv7 of the real time, for partners and keys, which belong to no scope. */
export function uuidAt(sources: ClockAndRandom): string {
  return v7({ msecs: sources.clock(), random: sources.random(16) })
}
