import type { Check } from './check.ts'

/** Webhook signatures are valid for five minutes; a clock that is off by one minute may drift that far. */
const skewMaxMs = 60_000

/** Both times in milliseconds. */
export function clockCheck(theirs: number, ours: number): Check {
  const skew = ours - theirs
  const seconds = Math.max(1, Math.ceil(Math.abs(skew) / 1000))
  if (Math.abs(skew) <= skewMaxMs) return { check: 'clock', detail: `agrees within ${seconds} s` }
  const detail = `this machine is ${seconds} s ${skew > 0 ? 'ahead' : 'behind'}: set its clock, preferably with NTP`
  return { check: 'clock', detail, ending: 'invalid' }
}
