import { raw, sql, type Tx } from '../../src/store/database.ts'

/** Undoes migrations 14 and later. */
export const undoneRepeats = [
  sql`alter table api_keys drop column replaced_at`,
  sql`drop table arrival_files`,
  sql`alter table phrases drop column facts`,
  sql`drop table order_identities`,
  sql`drop table identity_backlogs`,
  sql`alter table manifests drop column content`,
  sql`delete from schema_version where version >= 14`,
]

/** Undoes migrations 11 to 14: the database rejects no row for its values. */
export async function undoRules(tx: Tx): Promise<void> {
  for (const statement of undoneRepeats) await tx.run(statement)
  await loosenRules(tx)
  await tx.run(sql`drop index items_by_cert_key`)
  await tx.run(
    sql`create index items_by_cert on items (scope_id, cert_number, item_no) where cert_number is not null`,
  )
  await tx.run(sql`delete from schema_version where version >= 11`)
}

/** Writes the keys of certificates and graders as versions before migration 15 did: without spaces, dashes, and case. */
export async function undoKeys(tx: Tx): Promise<void> {
  const doc = tx.dialect === 'sqlite' ? 'doc' : 'doc::json'
  const cert = (item: string) => raw(`upper(replace(replace(${item} ->> 'cert_number', ' ', ''), '-', ''))`)
  const grader = raw(`upper(trim(${doc} ->> 'grader'))`)
  await tx.run(sql`update items set cert_key = ${cert(doc)}, grader_key = ${grader}`)
  await tx.run(sql`update manifest_lines set cert_key = ${cert(doc)}`)
  await tx.run(sql`update intakes set cert_number = ${cert(`${doc} -> 'item'`)}`)
  await tx.run(sql`delete from counts where kind = 'items'`)
  await tx.run(sql`
    insert into counts (scope_id, kind, key, n)
    select scope_id, 'items', status || '|' || coalesce(grader_key, ''), count(*) from items
    group by scope_id, status, coalesce(grader_key, '')`)
}

/** Lets the database take any row, and leaves its schema otherwise as it is. */
export async function loosenRules(tx: Tx): Promise<void> {
  await (tx.dialect === 'sqlite' ? looseTables(tx) : dropRules(tx))
}

async function looseTables(tx: Tx): Promise<void> {
  const cookie = await tx.get<{ schema_version: number }>(sql`pragma schema_version`)
  const tables = await tx.all<{ name: string; text: string }>(
    sql`select name, sql as text from sqlite_master where sql like '% strict'`,
  )
  await tx.run(sql`pragma writable_schema = on`)
  for (const { name, text } of tables) {
    const loose = text
      .replace(/,\n {2}constraint [\s\S]*\)(?=(?: without rowid,)? strict$)/, ')')
      .replace(/,? strict$/, '')
    await tx.run(sql`update sqlite_master set sql = ${loose} where name = ${name}`)
  }
  await tx.run(sql`pragma schema_version = ${raw(String(Number(cookie?.schema_version) + 1))}`)
  await tx.run(sql`pragma writable_schema = reset`)
}

async function dropRules(tx: Tx): Promise<void> {
  const tables = await tx.all<{ name: string; dropped: string }>(sql`
    select c.relname::text as name, string_agg('drop constraint ' || k.conname, ', ') as dropped
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'c' and k.connamespace = current_schema()::regnamespace group by c.relname`)
  for (const { name, dropped } of tables) await tx.run(sql`alter table ${raw(name)} ${raw(dropped)}`)
}
