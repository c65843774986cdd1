import type { Environment } from '../../src/contract/enums.ts'
import { randomOf } from './random.ts'
import type { FaultRates } from './story.ts'
import { type Kind, kinds, kindsIn } from './workload.ts'

/**
 * The specialities of one story. With usual shares only, common things hide rare ones: stock never runs out, and a log always
 * has webhooks. So three stories of four omit some kinds of deeds and faults and have more of others.
 */
export type Habits = {
  /** Each repeated by its share. */
  kinds: Kind[]
  rates: FaultRates
  /** A multiple of the usual share. */
  errands: number
  commands: number
  upsets: number
}

/** Nothing works without these. */
const bringing: readonly Kind[] = [
  'submitManifest',
  'createIntakes',
  'receiveManifest',
  'receiveArrivals',
  'stepItems',
]
/** In halves of the usual share. */
const shares = [0, 1, 2, 2, 2, 6]

/** From their own random numbers, so that the content of a story is independent of the frequencies. */
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
