import type { Command } from 'commander'
import type { Json } from '../../../contract/call.ts'
import type { Fulfillment } from '../../../contract/resources/fulfillment.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import type { ItemRecord } from '../../../store/tables/items.ts'
import { confirmable } from '../../ask/ask.ts'
import type { CommandFile } from '../../command.ts'
import { idsOrReferences, namesFrom, oneOrMany } from '../../list/several.ts'
import type { View } from '../../output/columns.ts'
import { fulfillmentList, fulfillmentRecord } from '../../views/fulfillments.ts'
import { itemList, itemRecord } from '../../views/items.ts'
import { fulfillmentId } from './find.ts'
import { forEach, inWarehouse, type PlaceOptions, placeOptions } from './warehouse-work.ts'

export type Step<Taken, Options> = {
  summary: string
  details?: string
  examples: readonly string[]
  define?: (command: Command) => unknown
  question?: (names: readonly string[]) => string
  take: (work: UnitOfWork, id: string, options: Options) => Promise<Taken>
}

type StepOptions<Options> = Options & PlaceOptions

/** All fulfillments take the step, or none. */
export function fulfillmentStep<Options>(
  step: Step<Json<Fulfillment>, Options>,
): CommandFile<[string[], StepOptions<Options>]> {
  const views = { one: fulfillmentRecord, many: fulfillmentList }
  return stepCommand(step, ['<fulfillment...>', idsOrReferences], views, async (work, given, options) =>
    JSON.parse(await step.take(work, await fulfillmentId(work, given), options)),
  )
}

/** All items take the step, or none. */
export function itemStep<Options>(
  step: Step<ItemRecord, Options>,
): CommandFile<[string[], StepOptions<Options>]> {
  const views = { one: itemRecord, many: itemList }
  return stepCommand(
    step,
    ['<qid...>', 'The items; - for lines of stdin'],
    views,
    async (work, qid, options) => {
      return (await step.take(work, qid, options)).item
    },
  )
}

function stepCommand<Taken, Options>(
  step: Step<Taken, Options>,
  [name, about]: readonly [string, string],
  views: { one: View; many: View },
  take: (work: UnitOfWork, given: string, options: Options) => Promise<unknown>,
): CommandFile<[string[], StepOptions<Options>]> {
  const { summary, details, examples, question } = step
  return {
    summary,
    ...(details !== undefined && { details }),
    examples,
    isOffline: true,
    define(command) {
      command.argument(name, about)
      if (question) confirmable(command)
      step.define?.(command)
      placeOptions(command)
    },
    view: (_format, given) => oneOrMany(given, views.one, views.many),
    async run(session, given, options) {
      const { names, isMany } = await namesFrom(session, given)
      const done = await inWarehouse(
        session,
        options,
        (work) => forEach(names, (given) => take(work, given, options)),
        question?.(names),
      )
      const printer = await session.printer()
      if (!isMany) return printer.one(done[0])
      await printer.all(done)
    },
  }
}
