import type { Environment } from '../../src/contract/enums.ts'
import { randomOf } from './random.ts'
import type { FaultRates } from './story.ts'
import { type Kind, kinds, kindsIn } from './workload.ts'

/**
 * What is special of one story. Where everything happens in its usual share, what is common hides what is rare: a stock is never worked
 * off, a log is never without webhooks. So three stories of four leave some kinds of deeds and of faults out and have
 * more of others.
 */
export type Habits = {
  /** Each as many times as its share. */
  kinds: Kind[]
  rates: FaultRates
  /** How many times as often as usual. */
  errands: number
  commands: number
  upsets: number
}

/** Without these nothing is there to be worked with. */
const bringing: readonly Kind[] = [
  'submitManifest',
  'createIntakes',
  'receiveManifest',
  'receiveArrivals',
  'stepItems',
]
/** In halves of the usual share. */
const shares = [0, 1, 2, 2, 2, 6]

/** By chance of their own, so that what happens in a story is told apart from how often. */
export function habitsOf(seed: string, environment: Environment, usual: FaultRates): Habits {
  const random = randomOf(`${seed} habits`)
  const isUsual = random.is(0.25)
  const share = (): number => (isUsual ? 2 : random.pick(shares))
  const weighted = kindsIn(environment).flatMap((kind) => {
    const times = Math.max(share(), bringing.includes(kind) ? 1 : 0)
    return Array<Kind>(kinds[kind].weight * times).fill(kind)
  })
  const rates = Object.fromEntries(Object.entries(usual).map(([name, rate]) => [name, rate * (share() / 2)]))
  const [errands, commands, upsets] = [share() / 2, share() / 2, share() / 2] as [number, number, number]
  return { kinds: weighted, rates: rates as FaultRates, errands, commands, upsets }
}
