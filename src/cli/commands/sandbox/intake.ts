import type { BodyInput } from '../../../contract/operations.ts'
import { repeatsAmong } from '../../../domain/graders/certificate.ts'
import { CliError } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'
import type { CommandFile, Session } from '../../command.ts'
import {
  arrivalFlags,
  type BodyOptions,
  bodyFrom,
  rejectItemFlags,
  withBodyFlags,
} from '../../command-line/body-flags.ts'
import { askTarget } from '../../find/ask-target.ts'
import { wholeNumber } from '../../find/filters.ts'
import { findManifestId } from '../../find/find-by-reference.ts'
import { findItems } from '../../items/find-items.ts'
import { arrivalList } from '../../views/items.ts'

type Options = BodyOptions & { manifest?: string; lint?: boolean }

export const command: CommandFile<[string | undefined, Options]> = {
  summary: 'Simulate an arrival: one item, or those of a JSON file',
  examples: [
    'sandbox intake --sku PKM-151-ETB --quantity 3 --manifest PO-1042',
    'sandbox intake --grader PSA --grade 9 --cert-number 48201934 --name "1999 Base Set Charizard" --flag cracked_case',
    'sandbox intake arrivals.json',
  ],
  define: (intake) =>
    withBodyFlags(intake, arrivalFlags)
      .option('--manifest <manifest>', 'Manifest it belongs to: its id or reference')
      .option('--no-lint', 'Receive slabs that are in custody already'),
  view: () => arrivalList,
  async run(session, file, options) {
    if (file !== undefined) rejectItemFlags(options)
    const sent = await bodyFrom(session.io, file, arrivalFlags, options)
    const { client } = await session.targetToWrite()
    const body = (file === undefined ? { items: itemsOf(sent) } : sent) as BodyInput<'createIntakes'>
    if (options.lint !== false) await rejectHeld(session, body.items)
    if (options.manifest !== undefined) body.manifest_id = await findManifestId(client, options.manifest)
    const { data } = await client.createIntakes({ body, idempotencyKey: options.idempotencyKey })
    await (await session.printer()).all(data.intakes)
  },
}

/** Throws `conflict` naming each slab that is in custody already, or twice among the items (decisions 13). */
async function rejectHeld(session: Session, items: unknown): Promise<void> {
  const sent = (Array.isArray(items) ? items : []) as Array<Partial<Record<string, unknown>> | null>
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  const slabs = sent.map((item, row) => {
    const cert_number = text(item?.cert_number)
    return { row, given: cert_number ?? '', grader: text(item?.grader), cert_number, qid: null }
  })
  if (slabs.every(({ cert_number }) => cert_number === null)) return
  const found = (await askTarget(session, (client) => findItems(client, slabs, false))) ?? []
  const repeats = repeatsAmong(slabs)
  const fields = found.flatMap(({ row, given, answer, item, grader }) => {
    const isHeld = answer === 'held' || answer === 'ambiguous'
    const where = isHeld
      ? `already in custody: ${item ? `${item.qid}, ${item.status}` : grader}`
      : repeats.has(row) && `also in items[${repeats.get(row)}]`
    return where ? [[`items[${row}].cert_number`, [`"${given}" is ${where}`]] as const] : []
  })
  if (fields.length === 0) return
  throw new CliError(
    'conflict',
    `${counted(fields.length, 'slab')} cannot be received; nothing was received.`,
    {
      hint: 'Check the grader and the number, or receive it as it is with --no-lint.',
      fields: Object.fromEntries(fields),
    },
  )
}

function itemsOf({ quantity, ...sent }: Record<string, unknown>): unknown[] {
  const count = quantity === undefined ? 1 : wholeNumber(String(quantity), '--quantity', 1)
  const item = { type: sent.sku === undefined ? 'graded_slab' : 'product', ...sent }
  return Array.from({ length: count }, () => item)
}
