import type { Json } from '../../contract/call.ts'
import type { Fulfillment } from '../../contract/resources/fulfillment.ts'
import { assert } from '../../domain/rejection.ts'
import { allAmong, asked, type ScopedTx, sql } from '../database.ts'

/** A separate table, because indexing a million documents takes too long (migration 14). */
const table = 'order_identities'

export type OrderIdentity = { identity: string; fulfillment_id: string }

/** Fulfillments older than the identities: those after `after_id` up to `until_id` have none yet. */
type IdentityBacklog = { after_id: string; until_id: string }

export async function insertOrderIdentities(tx: ScopedTx, rows: readonly OrderIdentity[]): Promise<void> {
  for (const { identity, fulfillment_id } of rows)
    assert(identity.length === 32, 'an identity is a digest', fulfillment_id, identity)
  const values = rows.map(({ identity, fulfillment_id }) => [tx.scope, identity, fulfillment_id])
  await tx.insert(table, ['scope_id', 'identity', 'fulfillment_id'], values)
}

/** The newest fulfillment of each identity, and whether there are older ones. */
export async function findNewestOrdered(
  tx: ScopedTx,
  identities: readonly string[],
): Promise<Map<string, { doc: Json<Fulfillment>; hasOlder: boolean }>> {
  const rows = await allAmong(identities, 128, (some) =>
    tx.all<{ k: string; doc: string; is_oldest: number }>(sql`
      ${asked(some)}
      select n.k, f.doc, case when n.oldest = n.newest then 1 else 0 end as is_oldest
      from (
        select a.k,
          (select o.fulfillment_id from order_identities o where o.scope_id = ${tx.scope} and o.identity = a.k
            order by o.fulfillment_id desc limit 1) as newest,
          (select o.fulfillment_id from order_identities o where o.scope_id = ${tx.scope} and o.identity = a.k
            order by o.fulfillment_id limit 1) as oldest
        from asked a) n
      cross join fulfillments f where f.scope_id = ${tx.scope} and f.id = n.newest`),
  )
  return new Map(rows.map(({ k, doc, is_oldest }) => [k, { doc, hasOlder: is_oldest === 0 }]))
}

/** Newest first. */
export async function listOrdered(
  tx: ScopedTx,
  identity: string,
  limit: number,
): Promise<Array<Json<Fulfillment>>> {
  return tx.values(sql`
    select f.doc from (
      select fulfillment_id from order_identities where scope_id = ${tx.scope} and identity = ${identity}
      order by fulfillment_id desc limit ${limit}) o
    cross join fulfillments f where f.scope_id = ${tx.scope} and f.id = o.fulfillment_id
    order by f.id desc`)
}

export async function findIdentityBacklog(tx: ScopedTx): Promise<IdentityBacklog | undefined> {
  return tx.get(sql`select after_id, until_id from identity_backlogs where scope_id = ${tx.scope}`)
}

/** Oldest first. */
export async function listOfBacklog(
  tx: ScopedTx,
  { after_id, until_id }: IdentityBacklog,
  limit: number,
): Promise<Array<Json<Fulfillment>>> {
  return tx.values(sql`
    select doc from fulfillments where scope_id = ${tx.scope} and id > ${after_id} and id <= ${until_id}
    order by id limit ${limit}`)
}

/** Saves the progress of a backlog; undefined: it is finished. */
export async function moveIdentityBacklog(tx: ScopedTx, after_id: string | undefined): Promise<void> {
  if (after_id === undefined) await tx.change(sql`delete from identity_backlogs where scope_id = ${tx.scope}`)
  else await tx.change(sql`update identity_backlogs set after_id = ${after_id} where scope_id = ${tx.scope}`)
}
