import { quoted } from '../../../domain/csv/csv-header.ts'
import { unknownSkuMessage } from '../../../domain/csv/csv-row-errors.ts'
import type { UnitOfWork } from '../../../engine/context.ts'
import { loadCatalog, type WarehouseArrival } from '../../../engine/intake/arrivals.ts'
import { type HeldSlab, heldSlabs } from '../../../engine/intake/held-slabs.ts'
import { CliError } from '../../base/cli-error.ts'
import { counted } from '../../base/counted.ts'

type RowArrival = { row: number; arrival: WarehouseArrival }
/** If `field` is missing, the message names it. */
type Fault = { row: number; field?: string; message: string }

/** `faults`: found without the database. Faulty rows are among `arrivals`, as far as they can be read. */
export type Arrivals = {
  arrivals: readonly RowArrival[]
  faults: readonly Fault[]
  hint?: string | undefined
}

/**
 * Throws `CliError` naming every row or field that cannot be received. All rows are received or none, because after half a file
 * the operator could not tell which half. `lint`: also rejects slabs in custody; if a file with an added row or a corrected typing
 * mistake is sent again, its slabs must not be received twice.
 */
export async function rejectFaulty(
  work: UnitOfWork,
  { arrivals, faults, hint }: Arrivals,
  { file, lint }: { file: string | undefined; lint: boolean },
): Promise<void> {
  const sent = arrivals.map(({ arrival }) => arrival)
  const catalog = await loadCatalog(work, sent)
  const unknown = arrivals.filter(({ arrival: { sku } }) => sku !== undefined && !catalog.has(sku))
  const held = lint ? await heldSlabs(work, sent) : []
  const all: Fault[] = [
    ...faults,
    ...unknown.map(({ row, arrival: { sku } }) => {
      return { row, field: 'sku', message: `${quoted(sku ?? '')} ${unknownSkuMessage}` }
    }),
    ...held.map((slab) => {
      const { row = 0, arrival } = arrivals[slab.at] ?? {}
      return { row, message: `${nameOf(arrival)} ${heldAs(slab, arrivals)}` }
    }),
  ].sort((a, b) => a.row - b.row)
  if (all.length === 0) return
  const ending = held.length === all.length ? 'conflict' : 'invalid'
  const advice = held.length > 0 ? hintOf(held, file) : hint
  const isFile = file !== undefined
  const texts = (some: readonly Fault[]): string[] => [...new Set(some.map(textOf))]
  const rows = Map.groupBy(all, ({ row }) => `row ${row}`)
  const fields = isFile
    ? [...rows].map(([row, some]) => [row, texts(some)])
    : all.flatMap(({ field, message }) => (field === undefined ? [] : [[field, [message]]]))
  const message = isFile
    ? `${counted(rows.size, 'row')} of ${file} cannot be received`
    : texts(all).join('; ')
  throw new CliError(ending, `${message}; nothing was received.`, {
    fields: Object.fromEntries(fields),
    ...(advice !== undefined && { hint: advice }),
  })
}

function textOf({ field, message }: Fault): string {
  return field === undefined ? message : `${field} ${message}`
}

function nameOf({ grader, cert_number }: Partial<WarehouseArrival> = {}): string {
  return [grader, cert_number].filter((text) => text !== undefined).join(' ')
}

function heldAs(slab: HeldSlab, arrivals: readonly RowArrival[]): string {
  if ('before' in slab) return `is also in row ${arrivals[slab.before]?.row}`
  return `is already in custody: ${slab.item.qid}, ${slab.item.status}`
}

function hintOf(held: readonly HeldSlab[], file: string | undefined): string {
  const sent = held.flatMap((slab) => ('item' in slab && slab.item.status === 'in_transit' ? slab.item : []))
  const back =
    sent[0] && `If its parcel came back: custody warehouse return ${sent[0].active_fulfillment_id}. `
  if (file === undefined) return `${back ?? ''}Check the grader and the number on its label.`
  const advice = [
    ...(held.some((slab) => 'item' in slab) ? ['Delete the rows of slabs in custody.'] : []),
    ...(held.some((slab) => 'before' in slab) ? ['Correct or delete rows that repeat another.'] : []),
  ]
  return `${back ?? ''}${advice.join(' ')}`
}
