import { json } from '../../contract/call.ts'
import type { Repeats } from '../../contract/enums.ts'
import type { CsvRowError } from '../../contract/resources/error.ts'
import { type AcceptedRow, repeatedInFile, withFault } from '../../domain/csv/csv-row.ts'
import {
  askedFor,
  type FulfillmentContext,
  type FulfillmentRow,
  fulfillmentChecker,
  fulfillmentColumns,
  mayBeOfTime,
  orderOfRow,
  type RequestedItems,
} from '../../domain/fulfillments/fulfillment-csv.ts'
import {
  type IdentifiedOrder,
  identified,
  type Repetition,
  repetitionOfRow,
} from '../../domain/fulfillments/order-identity.ts'
import { rowShortage } from '../../domain/fulfillments/shortage.ts'
import { assert } from '../../domain/rejection.ts'
import type { StepPart, SteppedWrite, UnitOfWork } from '../context.ts'
import { checkUpload, inFileOrder, rendered, rowsAnswer } from '../csv-upload.ts'
import { findRepetitions } from '../repeats.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { type OpenedFulfillment, openedFulfillment, saveOpened } from './shipping.ts'
import { fill, isOnShelf, type Shelf, stockShelf, takeFromShelf } from './stock-allocation.ts'

/** Rows per lookup. With hundreds, garbage survives: 100 MB per import. Alone, items that were stored together are written together. */
const rowsAtOnce = { shared: 48, alone: 1000 }

/** POST /fulfillments/csv (4.4): in file order, so that a row sees which items earlier rows took. Throws on a bad file. */
export async function openFulfillmentsCsv(
  file: Uint8Array,
  context: FulfillmentContext,
  repeats: Repeats,
  how: keyof typeof rowsAtOnce = 'shared',
): Promise<SteppedWrite> {
  const checked = await checkUpload(
    file,
    fulfillmentColumns,
    (header) => fulfillmentChecker(header, context),
    (value, faults) => askedFor(value.items, faults) !== null,
  )
  const rows = await ordersOf(inFileOrder(checked))
  const twice = repeats === 'skip' ? await sameInFile(rows) : new Map<Row, CsvRowError>()
  return {
    end: rows.length,
    async take(work, place, part) {
      const some = rows.slice(place, place + rowsAtOnce[how])
      assert(some.length > 0, 'a step of an upload has rows', work.scope.id, place)
      const doneBefore = rowsIn(part)
      const single = some.filter((row) => !twice.has(row))
      const known = repeats === 'skip' ? await repetitionsOf(work, single) : new Map<Row, Repetition>()
      const shelf = await stockShelf(work, some)
      const opened: OpenedFulfillment[] = []
      const step = { work, shelf, part, opened }
      for (const row of some) await importRow(step, row, twice.get(row), known.get(row))
      await saveOpened(work, opened)
      assert(rowsIn(part) === doneBefore + some.length, 'every row is created, repeated, or failed', place)
      await work.flush()
      return place + some.length
    },
    answer: (parts) => rowsAnswer(checked.errors, parts, repeats),
  }
}

function rowsIn({ created, errors, repeated }: StepPart): number {
  return created.length + errors.length + (repeated?.length ?? 0)
}

/** A faulty row takes no items, but its errors include unavailable ones. */
type Row = { row: number; order: IdentifiedOrder; wanted: RequestedItems; error: CsvRowError | undefined }

async function ordersOf(
  rows: ReadonlyArray<AcceptedRow<FulfillmentRow> & { error?: CsvRowError }>,
): Promise<Row[]> {
  const all: Row[] = []
  for (const { row, value, error } of rows) {
    await yieldToEventLoop()
    const wanted = error ? (askedFor(value.items, error.fields) as RequestedItems) : value.items
    all.push({ row, order: identified(orderOfRow(value)), wanted, error })
  }
  return all
}

/** Rows with the same identity all fail, so that a corrected one is not taken for a repeat of another later (decisions 13). */
async function sameInFile(rows: readonly Row[]): Promise<Map<Row, CsvRowError>> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    await yieldToEventLoop()
    const { error, order } = row
    if (error && (order.draft.external_ref === null || error.fields.external_ref)) continue
    const { identity } = order
    const group = groups.get(identity)
    if (group) group.push(row)
    else groups.set(identity, [row])
  }
  const faults = new Map<Row, CsvRowError>()
  for (const group of groups.values()) {
    if (group.length === 1) continue
    const first = group.slice(0, namedAtMost + 1).map(({ row }) => row)
    for (const row of group) {
      const others = first.filter((number) => number !== row.row).slice(0, namedAtMost)
      faults.set(row, repeatedInFile(row.row, others, group.length - 1, row.order.draft.external_ref))
    }
  }
  return faults
}

const namedAtMost = 5

async function repetitionsOf(work: UnitOfWork, rows: readonly Row[]): Promise<Map<Row, Repetition>> {
  const asked = rows.filter(({ error }) => !error || mayBeOfTime(error.fields))
  const found = await findRepetitions(
    work,
    asked.map(({ order }) => order),
  )
  return new Map(
    asked.flatMap((row, at) => {
      const known = found[at]
      return known && (!row.error || known.kind === 'repeated') ? [[row, known]] : []
    }),
  )
}

type Step = { work: UnitOfWork; shelf: Shelf; part: StepPart; opened: OpenedFulfillment[] }

async function importRow(
  { work, shelf, part, opened }: Step,
  asked: Row,
  same: CsvRowError | undefined,
  known: Repetition | undefined,
): Promise<void> {
  await yieldToEventLoop()
  const { row, order, wanted, error } = asked
  if (!error && same) return void part.errors.push(rendered(same))
  if (known) return void addRepeated(part, row, order, known)
  if (!isOnShelf(shelf, wanted)) await saveOpened(work, opened.splice(0))
  const filled = await fill(work, shelf, wanted)
  const lack = 'shortage' in filled ? rowShortage(row, filled.shortage) : undefined
  if (error) {
    const all = same ? withFault(error, same) : error
    part.errors.push(rendered(lack ? withFault(all, lack) : all))
  } else if ('shortage' in filled) part.errors.push(rendered(rowShortage(row, filled.shortage)))
  else {
    const made = openedFulfillment(work, order, filled.items)
    takeFromShelf(
      shelf,
      made.items.map(({ record }) => record),
    )
    opened.push(made)
    part.created.push(made.doc)
  }
}

function addRepeated(part: StepPart, row: number, order: IdentifiedOrder, known: Repetition): void {
  const found = repetitionOfRow(row, order, known)
  if ('error' in found) part.errors.push(rendered(found.error))
  else {
    part.repeated ??= []
    part.repeated.push(json(found.repeated))
  }
}
