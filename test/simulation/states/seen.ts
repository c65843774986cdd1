import type { Act } from '../making.ts'
import type { Sent } from '../network.ts'
import type { Judged } from '../oracle.ts'
import type { Done, Issue, Recorded } from '../run.ts'
import type { Incident } from '../scheduler.ts'

/** Everything that a story leaves for the rare states: each partner's judged history, and the processes below. */
export type Seen = Recorded & {
  partners: readonly Judged[]
  /** The requests under each trace that names a deed, in order. */
  byTrace: ReadonlyMap<string, Sent[]>
  /** By process, what happened to it and what it received. */
  incidentsOf(kind: string): readonly Incident[]
}

/** How often a story had a state. */
export type Count = (seen: Seen) => number
export type States = Readonly<Record<string, Count>>

export function seenIn(recorded: Recorded, partners: readonly Judged[]): Seen {
  const traces = new Set(partners.flatMap(({ done }) => done.map(({ trace }) => trace)))
  const traced = recorded.sent.filter(({ trace }) => traces.has(trace as string))
  const byKind = Map.groupBy(recorded.incidents, ({ kind }) => kind)
  return {
    ...recorded,
    partners,
    byTrace: Map.groupBy(traced, ({ trace }) => trace as string),
    incidentsOf: (kind) => byKind.get(kind) ?? [],
  }
}

export const dayMs = 86_400_000

export const isGood = (status: number | undefined): boolean => status !== undefined && status < 300

export const count = <T>(all: Iterable<T>, is: (one: T, at: number, all: readonly T[]) => boolean): number =>
  [...all].filter(is).length

type Interval = { begun: number; ended: number }

export const overlap = (a: Interval, b: Interval): boolean => a.begun < b.ended && b.begun < a.ended

/** The attempts of every deed with more than one. */
export const ofRepeated =
  (is: (sent: readonly Sent[]) => boolean): Count =>
  ({ byTrace }) =>
    count(byTrace.values(), (sent) => sent.length > 1 && is(sent))

export const ofDeeds =
  (is: (one: Done, history: Judged, sent: readonly Sent[]) => boolean): Count =>
  ({ partners, byTrace }) =>
    partners.reduce(
      (sum, one) => sum + count(one.done, (done) => is(done, one, byTrace.get(done.trace) ?? [])),
      0,
    )

export const ofPartners =
  (number: (one: Judged) => number): Count =>
  ({ partners }) =>
    partners.reduce((sum, one) => sum + number(one), 0)

/** An incident that a request met on its way through the service. */
export const metBy =
  (kind: string, is: (sent: Sent) => boolean): Count =>
  ({ sent, incidentsOf }) =>
    count(incidentsOf(kind), ({ process, step }) =>
      sent.some(
        (one) =>
          (one.service === process || kind === 'sleep') && one.begun < step && step < one.ended && is(one),
      ),
    )

export const isWrite = ({ operation }: Sent): boolean =>
  operation !== undefined && !/^(get|list)/.test(operation)

export const goodIssue = ({ issues }: Done): Issue | undefined => issues.find(({ status }) => isGood(status))
export const conflictOf = ({ issues }: Done): Issue | undefined => issues.find(({ status }) => status === 409)

/** Everything that an act names. */
export function namesOf(act: Act): readonly string[] {
  const { params, body, names, manifestId } = act.request as {
    params?: Record<string, string>
    body?: { qids?: string[]; manifest_id?: string }
    names?: string[]
    manifestId?: string | null
  }
  const single = [body?.manifest_id, manifestId].filter((one) => typeof one === 'string')
  return [...Object.values(params ?? {}), ...(body?.qids ?? []), ...(names ?? []), ...single]
}

/** Pairs of deeds that named the same thing, one of them requested before the other was answered. */
export const ofMeetings =
  (isOne: (one: Done) => boolean, isOther: (other: Done, one: Done, history: Judged) => boolean): Count =>
  ({ partners }) =>
    partners.reduce((sum, history) => {
      const ones = history.done.filter((done) => !done.isStrange && isOne(done))
      if (ones.length === 0) return sum
      const byName = new Map<string, Done[]>()
      for (const done of history.done)
        for (const name of done.isStrange ? [] : namesOf(done.act))
          byName.set(name, [...(byName.get(name) ?? []), done])
      const metWith = (one: Done): boolean => {
        const others = new Set(namesOf(one.act).flatMap((name) => byName.get(name) ?? []))
        const met = (other: Done): boolean =>
          one.issues.some((issue) => other.issues.some((another) => overlap(issue, another)))
        return [...others].some((other) => other !== one && met(other) && isOther(other, one, history))
      }
      return sum + count(ones, metWith)
    }, 0)
