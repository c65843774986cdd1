import type { Database } from '../../src/store/database.ts'
import { openPostgres } from '../../src/store/postgres/pg.ts'
import { openSqlite } from '../../src/store/sqlite/sqlite.ts'
import { addressIn } from './address-in.ts'
import type { Place } from './fleet-protocol.ts'

export async function openPlace(place: Place): Promise<Database> {
  return 'file' in place ? openSqlite(place.file) : openPostgres(addressIn(place.url, place.schema))
}
