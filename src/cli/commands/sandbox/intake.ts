import type { BodyInput } from '../../../contract/operations.ts'
import type { CommandFile, Session } from '../../command.ts'
import {
  type BodyOptions,
  bodyFrom,
  type Flag,
  rejectItemFlags,
  withBodyFlags,
} from '../../command-line/body-flags.ts'
import { wholeNumber } from '../../find/filters.ts'
import { findManifestId } from '../../find/find-manifest.ts'
import { arrivalList } from '../../views/items.ts'

const flags: readonly Flag[] = [
  { path: 'name', about: 'Name of a slab' },
  { path: 'sku', about: 'SKU of a product' },
  { path: 'grader', about: 'Grading company of a slab' },
  { path: 'grade', about: 'Grade of a slab' },
  { path: 'cert_number', about: 'Certificate number of a slab' },
  { path: 'set', about: 'Set of the card' },
  { path: 'card_number', about: 'Number within the set' },
  { path: 'category', about: 'Category, as in pokemon or baseball' },
  { path: 'condition_flags', flag: 'flag', kind: 'list', about: 'Condition flag; repeatable' },
]

type Options = BodyOptions & { manifest?: string; quantity?: string; sku?: string }

export const command: CommandFile<[string | undefined, Options]> = {
  summary: 'Simulate an arrival: one item, or those of a JSON file',
  examples: [
    'sandbox intake --sku PKM-151-ETB --quantity 3 --manifest PO-1042',
    'sandbox intake --grader PSA --grade 9 --cert-number 48201934 --name "1999 Base Set Charizard" --flag cracked_case',
    'sandbox intake arrivals.json',
  ],
  define: (intake) =>
    withBodyFlags(intake, flags)
      .option('--manifest <manifest>', 'Manifest it belongs to: its id or reference')
      .option('--quantity <n>', 'Number of units of the product'),
  view: () => arrivalList,
  run,
}

async function run(session: Session, file: string | undefined, options: Options): Promise<void> {
  if (file !== undefined) rejectItemFlags(options)
  const sent = await bodyFrom(session.io, file, flags, options)
  const { client } = await session.targetToWrite()
  const body = (file === undefined ? { items: itemsOf(sent, options) } : sent) as BodyInput<'createIntakes'>
  if (options.manifest !== undefined) body.manifest_id = await findManifestId(client, options.manifest)
  const { data } = await client.createIntakes({ body, idempotencyKey: options.idempotencyKey })
  await (await session.printer()).all(data.intakes)
}

function itemsOf(sent: Record<string, unknown>, { quantity, sku }: Options): unknown[] {
  const count = quantity === undefined ? 1 : wholeNumber(quantity, '--quantity', 1)
  const item = { type: sku === undefined ? 'graded_slab' : 'product', ...sent }
  return Array.from({ length: count }, () => item)
}
