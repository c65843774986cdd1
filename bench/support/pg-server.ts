import { type RestartablePostgres, startOwnPostgres } from '../../test/support/postgres.ts'

/** With production settings: nothing acknowledged is lost, and memory for a million items. */
const settings = [
  'fsync=on',
  'full_page_writes=on',
  'shared_buffers=1GB',
  'effective_cache_size=4GB',
  'max_wal_size=4GB',
  'random_page_cost=1.1',
]

/** The bench's own PostgreSQL, deleted afterwards. */
export function startBenchPostgres(): Promise<RestartablePostgres> {
  return startOwnPostgres(settings)
}
