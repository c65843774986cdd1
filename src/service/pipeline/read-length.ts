import { pageSizeDefault } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Parsed } from '../parsing/parse.ts'

/** How many rows an index scan passes in about a millisecond. */
const rowsPassedMax = 2_500
/** Filters and orders for which an index has the rows of a list next to each other. */
const indexed: ReadonlySet<string> = new Set([
  'page',
  'page_size',
  'status',
  'sort_by',
  'sort_dir',
  'starting_after',
])

/**
 * Whether a read may block its thread for more than some milliseconds. Reads that surely do not are answered in the serving
 * thread: handing one to another thread costs as much again.
 */
export function isLongRead(operation: Operation, { query }: Parsed): boolean {
  if (operation.passesMany) return true
  // Without a query it finds a few rows by their keys.
  if (!operation.query) return false
  const { page = 1, page_size, ...others } = query as { page?: number; page_size: number }
  if (page * page_size > rowsPassedMax) return true
  if (page_size > pageSizeDefault && !operation.smallResults) return true
  return Object.entries(others).some(([name, value]) => value !== undefined && !indexed.has(name))
}
