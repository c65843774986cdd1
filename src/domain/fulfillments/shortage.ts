import type { CsvRowError } from '../../contract/resources/error.ts'
import { tooFewAvailable, unavailableItem, unknownQid, unknownSku } from '../csv/csv-row.ts'
import { conflict, notFound, type Rejection } from '../rejection.ts'

export type Shortage =
  | { kind: 'unknown_qid' }
  | { kind: 'unavailable'; qid: string; status: string }
  | { kind: 'unknown_sku'; sku: string }
  | { kind: 'too_few'; sku: string; requested: number; available: number }

export function rowShortage(row: number, shortage: Shortage): CsvRowError {
  switch (shortage.kind) {
    case 'unknown_qid':
      return unknownQid(row)
    case 'unavailable':
      return unavailableItem(row, shortage.qid, shortage.status)
    case 'unknown_sku':
      return unknownSku(row, shortage.sku)
    case 'too_few':
      return tooFewAvailable(row, shortage.sku, shortage.requested, shortage.available)
  }
}

/** `not_found` for a QID without an item, otherwise a conflict that names what is unavailable. */
export function orderShortage(shortages: readonly Shortage[]): Rejection {
  if (shortages.some(({ kind }) => kind === 'unknown_qid')) return notFound()
  const [first] = shortages
  const areItems = shortages.every(({ kind }) => kind === 'unavailable')
  const message =
    shortages.length === 1 && first
      ? shortageMessage(first)
      : `${shortages.length} of these ${areItems ? 'items' : 'lines'} are not available.`
  const availability = shortages.map((each) => {
    if (each.kind === 'unavailable') return { qid: each.qid, status: each.status, requested: 1, available: 0 }
    const { kind: _, ...rest } = each
    return rest
  })
  return conflict(message, { availability })
}

function shortageMessage(shortage: Shortage): string {
  if (shortage.kind === 'unavailable') return `${shortage.qid} is ${shortage.status}, not available.`
  if (shortage.kind !== 'too_few') return 'It is not available.'
  const { sku, available, requested } = shortage
  return `${sku} has only ${available} of the ${requested} requested items available.`
}
