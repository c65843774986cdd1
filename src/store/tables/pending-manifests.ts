import { type ScopedTx, sql, upsert } from '../database.ts'

/**
 * A manifest whose open lines must not be matched: its upload is unfinished, or it is closed and some lines are not. `line_no`:
 * the last line inserted or closed; `since`: the scope's time at the start.
 */
export type PendingManifest = { id: string; since: string; line_no: number }

export async function savePendingManifest(tx: ScopedTx, pending: PendingManifest): Promise<void> {
  await tx.change(upsert('shut_manifests', { scope_id: tx.scope, ...pending }, ['line_no']))
}

export async function findPendingManifest(tx: ScopedTx, id: string): Promise<PendingManifest | undefined> {
  return tx.get<PendingManifest>(
    sql`select id, since, line_no from shut_manifests where scope_id = ${tx.scope} and id = ${id}`,
  )
}

export async function deletePendingManifest(tx: ScopedTx, id: string): Promise<void> {
  await tx.change(sql`delete from shut_manifests where scope_id = ${tx.scope} and id = ${id}`)
}

export async function listPendingManifests(
  tx: ScopedTx,
): Promise<Array<Pick<PendingManifest, 'id' | 'line_no'>>> {
  return tx.all(sql`select id, line_no from shut_manifests where scope_id = ${tx.scope}`)
}

/** A manifest with work left: it is closed, or its upload was abandoned. */
export async function findUnsettled(
  tx: ScopedTx,
): Promise<(PendingManifest & { is_closed: 0 | 1 }) | undefined> {
  return tx.get(sql`
    select s.id, s.since, s.line_no, case when m.id is null then 0 else 1 end as is_closed
    from shut_manifests s left join manifests m on m.scope_id = s.scope_id and m.id = s.id
    where s.scope_id = ${tx.scope} and (m.id is not null or not exists (
      select 1 from unfinished_writes u where u.scope_id = s.scope_id and u.manifest_id = s.id))
    limit 1`)
}
