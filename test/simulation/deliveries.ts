import { arrivalsKnownDays, dayMs } from '../../src/contract/limits.ts'
import { putFile } from './desks.ts'
import { type ErrandCourse, nameOf } from './errands.ts'
import type { History } from './run.ts'

/** So often a truck brings the same goods, and nothing else, for one errand. */
const trucks = [1, 2, 3] as const
const units = 2

export const goodsOf = ({ errand }: ErrandCourse): string => `goods-of-${nameOf(errand)}`

const fileOf = ({ errand }: ErrandCourse, truck: number): string => `${nameOf(errand)}-d${truck}.csv`

type Runs = ReadonlyArray<Pick<ErrandCourse['attempts'][number], 'args' | 'code' | 'out' | 'err' | 'ended'>>

const runsOf = (one: ErrandCourse, truck: number): Runs =>
  one.attempts.filter(({ args }) => args[2] === fileOf(one, truck))

export const isDelivery = ({ args }: { args: readonly string[] }): boolean => /-d\d\.csv$/.test(args[2] ?? '')

/** The first item of what blocked an intake, as its message names it. */
const namedIn = (err: string): string | undefined => /the first (Q-[\dA-Z-]+)/.exec(err)?.[1]

/** The file of the truck whose run named the item first: a run that was cut off may have received it, and named nothing. */
function fileWith(one: ErrandCourse, qid: string): string | undefined {
  const first = one.attempts.filter(isDelivery).find(({ code, out, err }) => {
    return code === 0 ? out.includes(qid) : namedIn(err) === qid
  })
  return first?.args[2]
}

/** Received, by a run that said so or by one that was cut off. */
function isReceived(one: ErrandCourse, truck: number): boolean {
  return runsOf(one, truck).some(({ code, err }) => {
    const qid = code === 5 ? namedIn(err) : undefined
    return code === 0 || (qid !== undefined && fileWith(one, qid) === fileOf(one, truck))
  })
}

/**
 * The intake of the next truck's goods, by the same command until it is known that they are received; or that of an earlier truck's once
 * more. A delivery without a name gets one when a report advises it, because the rows were received with another truck. Undefined if all
 * trucks have come, or nothing is sold.
 */
export function deliver(
  one: ErrandCourse,
  place: Parameters<typeof putFile>[0],
  sku: string | undefined,
): string[] | undefined {
  const [come, next] = [
    trucks.filter((each) => isReceived(one, each)),
    trucks.find((each) => !isReceived(one, each)),
  ]
  const isAgain = come.length > 0 && one.random.is(0.4)
  const truck = isAgain ? one.random.pick(come) : next
  if (truck === undefined || sku === undefined) return undefined
  const runs = runsOf(one, truck)
  const { err = '', args = [] } =
    (isAgain ? runs.find(({ code }) => code === 0) : undefined) ?? runs.at(-1) ?? {}
  const isAdvised = !isAgain && err.includes('name it with --delivery') && namedIn(err) !== undefined
  const isNamed = args.includes('--delivery') || isAdvised || (one.errand.no + truck) % 3 === 0
  const name = fileOf(one, truck)
  putFile(place, name, `sku,quantity,category\n${sku},${units},${goodsOf(one)}\n`)
  return ['warehouse', 'intake', name, ...(isNamed ? ['--delivery', name] : [])]
}

/**
 * Each truck's goods are received once. Those without a name may be received again after the days for which they are known, and those
 * that an older version received, once more by this one.
 */
export function delivered(
  one: ErrandCourse,
  { final, upgradedAt = 0 }: Pick<History, 'final' | 'upgradedAt'>,
  wrong: (what: string) => void,
): void {
  const mine = final.items.filter(({ category }) => category === goodsOf(one))
  const times = Map.groupBy(mine, ({ intake_at }) => intake_at)
  for (const [time, { length }] of times)
    if (length % units !== 0) wrong(`received ${length} units at ${time}`)
  const starts = [...times.keys()].map((time) => Date.parse(time)).sort((a, b) => a - b)
  const late = starts.filter((at, n) => n > 0 && at - starts[n - 1]! >= arrivalsKnownDays * dayMs).length
  const received = trucks.filter((truck) => isReceived(one, truck)).length
  const tried = trucks.filter((truck) => runsOf(one, truck).length > 0).length
  const forgotten = trucks.filter((truck) =>
    runsOf(one, truck).some(({ ended }) => ended < upgradedAt),
  ).length
  const loads = mine.length / units
  if (loads < received || loads > tried + late + forgotten)
    wrong(`received ${loads} loads of ${received} to ${tried}`)
}
