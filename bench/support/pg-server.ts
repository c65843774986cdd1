import { type RestartablePostgres, startOwnPostgres } from '../../test/support/postgres.ts'

/** As one would run it: nothing acknowledged is lost; memory for a million items. */
const settings = [
  'fsync=on',
  'full_page_writes=on',
  'shared_buffers=1GB',
  'effective_cache_size=4GB',
  'max_wal_size=4GB',
  'random_page_cost=1.1',
]

/** A PostgreSQL of the bench's own, which is thrown away. */
export function startBenchPostgres(): Promise<RestartablePostgres> {
  return startOwnPostgres(settings)
}
