import type { StoreFault } from '../database.ts'

type SqliteFault = Extract<
  StoreFault,
  'busy' | 'read_only' | 'corrupt' | 'full' | 'not_found' | 'not_a_database' | 'unreachable'
>

/** SQLite's primary result codes that say something about the surroundings rather than about a statement. */
const faults: Record<number, SqliteFault> = {
  3: 'not_found',
  5: 'busy',
  6: 'busy',
  8: 'read_only',
  10: 'unreachable',
  11: 'corrupt',
  13: 'full',
  14: 'not_found',
  15: 'busy',
  26: 'not_a_database',
}

/** What a thrown SQLite error means for the operator; undefined where it is a bug of ours. */
export function sqliteFault(error: unknown): SqliteFault | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined
  return faults[Number(error.errcode) & 0xff]
}
