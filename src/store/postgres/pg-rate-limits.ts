import type { BucketState, Rate } from '../../domain/token-bucket.ts'
import { sql, type Tx } from '../database.ts'

/** In milliseconds. */
const databaseNow = sql`floor(extract(epoch from clock_timestamp()) * 1000)`

/**
 * `domain/token-bucket.ts` as one statement: processes share each bucket exactly, because the row is locked while it changes. A
 * clock that is behind adds nothing. `atMs` null: the database's clock, since machines' clocks differ.
 */
export async function takeToken(
  tx: Tx,
  keyId: string,
  atMs: number | null,
  { rate_per_s, burst }: Rate,
): Promise<{ allowed: boolean; state: BucketState }> {
  const full = burst * 1000
  const now = atMs === null ? databaseNow : sql`${atMs}`
  const row = await tx.get<BucketState & { allowed: number }>(sql`
    insert into rate_limits as bucket (key_id, level_milli, at_ms, allowed)
    values (${keyId}, ${full - 1000}, ${now}, 1)
    on conflict (key_id) do update set (level_milli, at_ms, allowed) = (
      select case when filled >= 1000 then filled - 1000 else filled end, at, case when filled >= 1000 then 1 else 0 end
      from (
        select case when excluded.at_ms < bucket.at_ms - ${Math.ceil(full / rate_per_s)} then excluded.at_ms
            else greatest(bucket.at_ms, excluded.at_ms) end as at,
          least(${full}, bucket.level_milli + greatest(0, excluded.at_ms - bucket.at_ms) * ${rate_per_s}) as filled
      ) refilled)
    returning level_milli, at_ms, allowed`)
  if (!row) throw new Error('a bucket was neither created nor found')
  const { allowed, ...state } = row
  return { allowed: allowed === 1, state }
}
