import { statesOfBoxes } from './of-boxes.ts'
import { statesOfCommands } from './of-commands.ts'
import { statesOfGoods } from './of-goods.ts'
import { statesOfMachines } from './of-machines.ts'
import { statesOfRequests } from './of-requests.ts'
import { statesOfWebhooks } from './of-webhooks.ts'
import type { Count, Seen } from './seen.ts'

/** States of the whole system in which mistakes hide. A long run fails if it does not reach each of them. */
export const rareStates: ReadonlyMap<string, Count> = new Map(
  [
    ...[statesOfRequests, statesOfMachines, statesOfWebhooks],
    ...[statesOfGoods, statesOfCommands, statesOfBoxes],
  ].flatMap((states) => Object.entries<Count>(states)),
)

/** By name: in how many stories each was reached, and how many times in all. */
export type Reached = Record<string, { stories: number; times: number }>

export function reachedIn(seen: Seen): Reached {
  const reached: Reached = {}
  for (const [name, timesIn] of rareStates) {
    const times = timesIn(seen)
    if (times > 0) reached[name] = { stories: 1, times }
  }
  return reached
}

export function addReached(all: Reached, more: Reached): void {
  for (const [name, { stories, times }] of Object.entries(more)) {
    const before = all[name] ?? { stories: 0, times: 0 }
    all[name] = { stories: before.stories + stories, times: before.times + times }
  }
}

export const unreached = (reached: Reached, wanted: readonly string[]): string[] =>
  wanted.filter((name) => reached[name] === undefined)
