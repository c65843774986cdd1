import { Option } from 'commander'
import { moveTransfer } from '../../../engine/fulfillments/transfers.ts'
import { confirmable } from '../../ask/ask.ts'
import type { CommandFile, Session } from '../../command.ts'
import { namesFrom, oneOrMany } from '../../list/several.ts'
import { transferList, transferRecord } from '../../views/fulfillments.ts'
import { forEach, inWarehouse, type PlaceOptions, placeOptions } from './warehouse-work.ts'

const outcomes = ['completed', 'declined'] as const

type Options = PlaceOptions & { to: (typeof outcomes)[number] }

export const command: CommandFile<[string[], Options]> = {
  summary: 'Complete or decline a transfer',
  details: 'This cannot be undone.',
  examples: ['warehouse resolve-transfer 0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70 --to completed --yes'],
  define: (resolve) =>
    placeOptions(
      confirmable(resolve)
        .argument('<transfer...>', 'Transfer ids; - for lines of stdin')
        .addOption(new Option('--to <outcome>', 'The decision').choices(outcomes).makeOptionMandatory()),
    ),
  isOffline: true,
  view: (_format, given) => oneOrMany(given, transferRecord, transferList),
  run,
}

async function run(session: Session, given: string[], options: Options): Promise<void> {
  const { names: ids, isMany } = await namesFrom(session, given)
  const settled = await inWarehouse(
    session,
    options,
    (work) => forEach(ids, async (id) => JSON.parse(await moveTransfer(work, id, options.to))),
    `Set ${ids.join(', ')} to ${options.to}?`,
  )
  const printer = await session.printer()
  if (!isMany) return printer.one(settled[0])
  await printer.all(settled)
}
