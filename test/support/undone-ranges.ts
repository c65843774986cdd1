import { sql } from '../../src/store/database.ts'

/** Undoes migration 5. */
export const undoneRanges = [
  sql`delete from counts where kind = 'events'`,
  sql`drop table delivery_ranges`,
  sql`update scopes set schema_version = 4`,
  sql`delete from schema_version where version = 5`,
]
