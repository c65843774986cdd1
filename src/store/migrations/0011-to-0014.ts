import { type Dialect, raw, StoreError, sql, type Tx } from '../database.ts'

/**
 * Migration 11: constraints, and STRICT tables on SQLite. Existing rows are not rewritten; `db check` reports those that break a
 * rule. Older processes can no longer claim a scope, because their upserts propose negative counts.
 */
export const rules = `
update scopes set schema_version = 11;
`

/** Also fits nullable columns: a check that evaluates to null passes. */
const times = (columns: string): string =>
  columns
    .split(' ')
    .map((column) => `${column} like '____-__-__T__:__:__.___Z'`)
    .join(' and ')
const lease = '(lease_owner is null) = (lease_until is null)'
/** By table and name. No rule lists the words of a vocabulary: migration 13 dropped those that did. */
const tableRules: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  partners: { times: times('created_at') },
  scopes: {
    numbers:
      'claims >= 0 and last_seq >= 0 and last_item_no >= 0 and last_intake_no >= 0 and stored_results >= 0',
    active_subscriptions: 'active_subscriptions >= 0',
    times: times('last_at created_at'),
  },
  api_keys: { times: times('created_at expires_at revoked_at last_used_at') },
  counts: { n: 'n >= 0' },
  stock: { units: 'available >= 0 and allocated >= 0 and available + allocated <= on_hand' },
  manifests: {
    expected_arrival_end: "expected_arrival_end like '____-__-__'",
    unexpected: 'unexpected >= 0',
    generated_at: `(status = 'reconciled') = (generated_at is not null) and ${times('generated_at')}`,
  },
  shut_manifests: { line_no: 'line_no >= 0', times: times('since') },
  manifest_lines: {
    line_no: 'line_no >= 1',
    units: 'quantity >= 1 and clean >= 0 and flagged >= 0 and clean + flagged <= quantity',
    is_open: 'is_open = 0 or (is_open = 1 and clean + flagged < quantity)',
    match_score: 'match_score between 0 and 1',
  },
  phrases: { numbers: 'phrase_no >= 1 and word_count >= 1 and line_no >= 1' },
  items: {
    item_no: 'item_no >= 1',
    times: times('intake_at updated_at'),
  },
  intakes: { intake_no: 'intake_no >= 1', times: times('intake_at') },
  fulfillments: {
    has_shipped: 'has_shipped = 0 or has_shipped = 1',
  },
  products: {},
  transfers: {},
  events: { seq: 'seq >= 1', times: times('created_at') },
  idempotency: {
    status: 'status between 200 and 499',
    claims: 'claims >= 0',
    times: times('created_at'),
  },
  unfinished_writes: {
    // Empty for a JSON body.
    read_on: "read_on = '' or read_on like '____-__-__'",
    numbers: 'place >= 0 and claims >= 0',
    times: times('created_at'),
  },
  unfinished_parts: { part_no: 'part_no >= 0' },
  webhook_subscriptions: {
    active: 'active = 0 or active = 1',
    times: times('previous_until failing_since paused_until'),
  },
  deliveries: {
    payload: 'seq is not null or payload is not null',
    attempts: 'attempts >= 0 and earlier_attempts >= 0 and earlier_attempts <= attempts',
    due: "(status = 'pending') = (next_attempt_at is not null)",
    lease,
    times: times('created_at last_attempt_at next_attempt_at lease_until'),
  },
  delivery_ranges: {
    range: 'after_seq >= 0 and (end_seq is null or end_seq >= after_seq)',
    lease,
    times: times('lease_until'),
  },
}

/** Columns that must equal a field of the row's document. A function per table derives the others. */
const documents: Readonly<Record<string, { doc: string; columns: Readonly<Record<string, string>> }>> = {
  products: { doc: 'doc', columns: { product_id: 'id' } },
  manifests: { doc: 'doc', columns: { id: 'id', status: 'status' } },
  manifest_lines: { doc: 'doc', columns: { id: 'id' } },
  items: { doc: 'doc', columns: { qid: 'qid', status: 'status' } },
  intakes: { doc: 'doc', columns: { qid: 'qid' } },
  fulfillments: { doc: 'doc', columns: { id: 'id', status: 'status' } },
  transfers: { doc: 'doc', columns: { id: 'id', status: 'status' } },
  events: { doc: 'payload', columns: { id: 'id', type: 'type' } },
  webhook_subscriptions: { doc: 'doc', columns: { id: 'id' } },
}

export async function addRules(tx: Tx, tables: readonly string[]): Promise<void> {
  if (tx.dialect === 'sqlite') return editSchema(tx, tables)
  for (const table of Object.keys(tableRules)) {
    const [row] = await tx.all(sql`select 1 as held from ${raw(table)} limit 1`)
    const added = constraintsOf(table, tx.dialect).map((text) => `add ${text}${row ? ' not valid' : ''}`)
    await tx.run(sql`alter table ${raw(table)} ${raw(added.join(', '))}`)
  }
}

function constraintsOf(table: string, dialect: Dialect): string[] {
  const named = Object.entries(tableRules[table] ?? {})
  const document = documents[table]
  if (document) named.push(['document', documentRule(document, dialect)])
  return named.map(([name, condition]) => `constraint ${table}_${name} check (${condition})`)
}

/** Parsing JSON costs PostgreSQL 10 µs, so it searches the text: these values need no escaping. */
function documentRule({ doc, columns }: (typeof documents)[string], dialect: Dialect): string {
  const named = Object.entries(columns)
  if (dialect === 'postgres')
    return named
      .map(([name, column]) => `strpos(${doc}, '"${name}":"' || ${column} || '"') > 0`)
      .join(' and ')
  const same = named.map(([name, column]) => `${doc} ->> '${name}' is not distinct from ${column}`)
  return [`json_valid(${doc})`, ...same].join(' and ')
}

/**
 * SQLite cannot add a constraint or STRICT without rewriting all rows, so this edits the table's text, as SQLite's page on ALTER
 * TABLE describes. Rows stay valid: each type keeps its affinity under the new name.
 */
async function editSchema(tx: Tx, tables: readonly string[]): Promise<void> {
  const cookie = await tx.number(sql`pragma schema_version`)
  await tx.run(sql`pragma writable_schema = on`)
  for (const name of tables) {
    const text = await tx.value<string>(
      sql`select sql from sqlite_master where type = 'table' and name = ${name}`,
    )
    await tx.run(sql`
      update sqlite_master set sql = ${strictText(name, text ?? '')} where type = 'table' and name = ${name}`)
  }
  await tx.run(sql`pragma schema_version = ${raw(String(cookie + 1))}`)
  // Rereads the schema: an invalid text would fail here and roll everything back.
  await tx.run(sql`pragma writable_schema = reset`)
  const n = await tx.number(sql`select count(*) as n from pragma_table_list where strict = 1`)
  if (n !== tables.length) throw new Error(`${n} of ${tables.length} tables became strict`)
}

function strictText(name: string, text: string): string {
  const typed = text.replace(/\bbigint\b/g, 'int').replace(/\bdouble precision\b/g, 'real')
  const end = typed.lastIndexOf(')')
  const added = constraintsOf(name, 'sqlite').map((constraint) => `,\n  ${constraint}`)
  const options = typed.slice(end + 1).trim()
  return `${typed.slice(0, end)}${added.join('')})${options === '' ? '' : ` ${options},`} strict`
}

/** Migration 12: indexes certificates in comparable form, without spaces, dashes, and case. Older processes can keep writing. */
export const certificates = `
drop index if exists items_by_cert;
create index if not exists items_by_cert_key on items (scope_id, cert_key, item_no) where cert_key is not null;
`

/** Migration 13: `db check` verifies vocabularies, no CHECK does, so a new word needs no migration. Older processes can write. */
export const vocabularies = `
-- The constraints go by their names, see below.
`

const dropped: Readonly<Record<string, readonly string[]>> = {
  scopes: ['environment'],
  counts: ['kind'],
  manifests: ['status'],
  manifest_lines: ['match'],
  items: ['type', 'status', 'held'],
  fulfillments: ['status', 'interrupted_stage'],
  transfers: ['status'],
  events: ['type'],
  deliveries: ['status', 'event_type'],
}

/** Both databases change only the table's definition, so a million rows take no longer than none. */
export async function dropVocabularies(tx: Tx): Promise<void> {
  for (const [table, names] of Object.entries(dropped)) {
    for (const constraint of names.map((name) => `${table}_${name}`)) {
      if (tx.dialect === 'postgres')
        await tx.run(sql`alter table ${raw(table)} drop constraint if exists ${raw(constraint)}`)
      else if (await hasConstraint(tx, table, constraint)) await dropOnSqlite(tx, table, constraint)
    }
  }
}

async function hasConstraint(tx: Tx, table: string, constraint: string): Promise<boolean> {
  const [row] = await tx.all(sql`
    select 1 as found from sqlite_master
    where type = 'table' and name = ${table} and instr(sql, ${`constraint ${constraint} check`}) > 0`)
  return row !== undefined
}

/** SQLite has `drop constraint` since 3.53. A database created by this version has no such constraints. */
async function dropOnSqlite(tx: Tx, table: string, constraint: string): Promise<void> {
  if (!(await tx.number(sql`select cast(substr(sqlite_version(), 3) as real) >= 53 as "isNew"`))) {
    throw new StoreError(
      'refused',
      'Migrating this database needs SQLite 3.53 or newer. Run custody under Node.js 24.21 or newer once.',
    )
  }
  await tx.run(sql`alter table ${raw(table)} drop constraint ${raw(constraint)}`)
}

/**
 * Migration 14: order identities and manifest digests, to find repeats. Identities get a table, because an index would read a
 * million documents in one go; older orders are added in steps. Older processes would store none, so they can no longer claim a
 * scope.
 */
export const repeats = `
update scopes set schema_version = 14;

create table order_identities (
  scope_id {{int}} not null,
  identity text not null,
  fulfillment_id text not null,
  primary key (scope_id, identity, fulfillment_id)
) {{clusteredStrict}};

create table identity_backlogs (
  scope_id {{int}} not null,
  until_id text not null,
  after_id text not null,
  primary key (scope_id, until_id)
) {{clusteredStrict}};
insert into identity_backlogs (scope_id, after_id, until_id)
  select s.id, '', (select f.id from fulfillments f where f.scope_id = s.id order by f.id desc limit 1) from scopes s
  where exists (select 1 from fulfillments f where f.scope_id = s.id);

-- Null until somebody asks whether it is repeated.
alter table manifests add column content text;
`
