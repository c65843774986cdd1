import { type Database, sql, type Tx } from '../../src/store/database.ts'
import { eventually } from './load.ts'

/** Resolves once another transaction on PostgreSQL waits for this one; at once on SQLite, which has one writer. */
export async function untilWaitedFor(db: Database, holder: Tx): Promise<void> {
  if (db.dialect === 'sqlite') return
  const own = await holder.get<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const isWaitedFor = async () => {
    const waits = await db.read((tx) =>
      tx.get(
        sql`select pid from pg_locks where not granted and cast(${own?.pid} as int) = any(pg_blocking_pids(pid))`,
      ),
    )
    return waits !== undefined
  }
  await eventually('somebody waits', isWaitedFor, 10_000)
}
