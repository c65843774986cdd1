import { searchText, skuText } from '../../domain/items/search-text.ts'
import { containing, inScope, sql, type Tx } from '../database.ts'
import { searchOf } from '../search-of.ts'

/** Migration 2: state shared by processes. It holds no partner data, is never copied, and may be lost at any time. */
export const processes = `
-- Work that one process does for all, until its lease has run out. Times are the machine's.
create table leases (
  name text primary key,
  owner text not null,
  until text not null
);

-- A token bucket for each API key.
create {{unlogged}} table rate_limits (
  key_id text primary key,
  level_milli double precision not null,
  at_ms double precision not null,
  -- Whether the last request was let through.
  allowed bigint not null
);
`

/**
 * Migration 3: item counts by status per ten days, which are added up to find a page in the middle of a list. Older processes
 * would not maintain them, so they can no longer claim a scope. The rename comes first because it waits for open writes.
 */
export const tenDays = `
alter table scopes rename column version to claims;
alter table scopes add column schema_version bigint not null default 3;
insert into counts (scope_id, kind, key, n)
  select scope_id, 'items_by_intake', substr(intake_at, 1, 9) || '|' || status, count(*) from items
  group by scope_id, substr(intake_at, 1, 9), status;
insert into counts (scope_id, kind, key, n)
  select scope_id, 'items_by_update', substr(updated_at, 1, 9) || '|' || status, count(*) from items
  group by scope_id, substr(updated_at, 1, 9), status;
`

/** Migration 4: search texts folded by new rules (decisions 12) that older processes lack; covering indexes on SQLite. */
export const texts = `
update scopes set schema_version = 4;
{{texts}}
`

/** Indexes of held items include the texts and all filtered columns, so that a search with many hits reads no item. */
export const sqliteTexts = `
drop index items_held_by_intake;
create index items_held_by_intake
  on items (scope_id, held, intake_at, item_no, search_text, sku_fold, status, grader_key);
drop index items_held_by_update;
create index items_held_by_update
  on items (scope_id, held, updated_at, item_no, search_text, sku_fold, status, grader_key, intake_at);
`

type ItemRow = {
  scope_id: number
  item_no: number
  sku_fold: string
  search_text: string
  doc: string
}

const rowsAtOnce = 1000

/** Skips ASCII texts: they fold as before. */
export async function foldTexts(tx: Tx): Promise<void> {
  const separated = containing('\u001f')
  for (let after = { scope_id: 0, item_no: 0 }; ; ) {
    const rows = await tx.all<ItemRow>(sql`
      select scope_id, item_no, sku_fold, search_text, doc from items
      where (scope_id, item_no) > (${after.scope_id}, ${after.item_no})
        and (octet_length(doc) <> length(doc) or search_text like ${separated})
      order by scope_id, item_no limit ${rowsAtOnce}`)
    for (const row of rows) await fold(tx, row)
    const last = rows.at(-1)
    if (!last) return
    after = last
  }
}

async function fold(tx: Tx, { scope_id, item_no, sku_fold, search_text, doc }: ItemRow): Promise<void> {
  const item = JSON.parse(doc) as { name: string; sku: string }
  const text = searchText(item)
  if (text === search_text && skuText(item.sku) === sku_fold) return
  await tx.change(sql`
    update items set search_text = ${text}, sku_fold = ${skuText(item.sku)}
    where scope_id = ${scope_id} and item_no = ${item_no}`)
  await searchOf(tx).remove(inScope(tx, scope_id), [{ item_no, text: search_text }])
  await searchOf(tx).insert(inScope(tx, scope_id), [{ item_no, text }])
}

/**
 * Migration 5: subscriptions keep unsent ranges of the log; a delivery gets a row only if it failed, is slow or recent, or was
 * requested. Waiting deliveries keep their rows. Events are counted by type per thousand, to add up a backlog. Older processes
 * would queue a row per event, so they can no longer claim a scope.
 */
export const deliveryRanges = `
update scopes set schema_version = 5;

create table delivery_ranges (
  scope_id bigint not null,
  subscription_id text not null,
  id text not null,
  -- Null: the subscription's own events, as they are written. Else of one replay.
  replay_id text,
  -- Events after this one,
  after_seq bigint not null,
  -- up to this one; null: as far as the log goes.
  end_seq bigint,
  -- JSON: the types that were wanted when these events were written or asked for again.
  event_types text not null,
  lease_owner text,
  lease_until text,
  primary key (scope_id, subscription_id, id)
) {{clustered}};

insert into delivery_ranges (scope_id, subscription_id, id, after_seq, event_types)
  select w.scope_id, w.id, w.id, s.last_seq, {{eventTypes}}
  from webhook_subscriptions w join scopes s on s.id = w.scope_id where w.active = 1;

insert into counts (scope_id, kind, key, n)
  select scope_id, 'events', type || '|' || substr(cast(10000000000 + seq / 1000 as varchar), 2), count(*)
  from events group by scope_id, type, seq / 1000;
`

/**
 * Migration 6: stores each phrase of open lines once, with the place of its first line; phrases of more than 24 words are found
 * by size under an empty word. Older processes would use the old table, so they can no longer claim a scope.
 */
export const phrases = `
update scopes set schema_version = 6;

create table phrases (
  scope_id bigint not null,
  phrase_no bigint not null,
  phrase_key text not null,
  word_count bigint not null,
  words text not null,
  -- The first open line that has it, in the order of matching.
  manifest_id text not null,
  line_no bigint not null,
  primary key (scope_id, phrase_no)
) {{clustered}};
create unique index phrases_by_key on phrases (scope_id, phrase_key);

-- \`word\` may be cut short.
create table phrase_words (
  scope_id bigint not null,
  word text not null,
  word_count bigint not null,
  phrase_no bigint not null,
  primary key (scope_id, word, word_count, phrase_no)
) {{clustered}};

insert into phrases (scope_id, phrase_no, phrase_key, word_count, words, manifest_id, line_no)
  select w.scope_id, row_number() over (partition by w.scope_id order by w.phrase_key), w.phrase_key, w.word_count,
    trim(w.words), f.manifest_id,
    (select min(l.line_no) from manifest_lines l where l.scope_id = w.scope_id and l.is_open = 1
      and l.phrase_key = w.phrase_key and l.manifest_id = f.manifest_id)
  from (select scope_id, phrase_key, min(word_count) as word_count, min(words) as words
    from line_words group by scope_id, phrase_key) w
  join (select scope_id, phrase_key, min(manifest_id) as manifest_id
    from manifest_lines where is_open = 1 and phrase_key is not null group by scope_id, phrase_key) f
  on f.scope_id = w.scope_id and f.phrase_key = w.phrase_key;

insert into phrase_words (scope_id, word, word_count, phrase_no)
  select w.scope_id, w.word, w.word_count, p.phrase_no
  from line_words w join phrases p on p.scope_id = w.scope_id and p.phrase_key = w.phrase_key
  where w.word_count <= 24
  union all select scope_id, '', word_count, phrase_no from phrases where word_count > 24;

delete from counts where kind = 'words';
insert into counts (scope_id, kind, key, n)
  select scope_id, 'words', word, count(*) from phrase_words group by scope_id, word;

drop table line_words;
`

/** Migration 7: the trace of the request that wrote an event, to log with its deliveries. */
export const traces = `
-- The W3C traceparent; null where the request had none.
alter table events add column trace text;
`

/** Migration 8: unfinished writes in steps, by Idempotency-Key. Older processes would restart one, so they can claim no scope. */
export const unfinishedWrites = `
update scopes set schema_version = 8;

create table unfinished_writes (
  scope_id bigint not null,
  path text not null,
  key text not null,
  fingerprint text not null,
  -- The scope's date by which the body was read.
  read_on text not null,
  -- How much of the body was carried out.
  place bigint not null,
  -- Of the machine.
  created_at text not null,
  primary key (scope_id, path, key)
) {{clustered}};

-- What the steps have come to, for the answer; \`part_no\` is the place from which a step went on.
create table unfinished_parts (
  scope_id bigint not null,
  path text not null,
  key text not null,
  part_no bigint not null,
  body {{blob}} not null,
  primary key (scope_id, path, key, part_no)
);
`

/** Migration 9: numbers results by write and counts them. Older processes would not, so they can no longer claim a scope. */
export const storedResults = `
alter table scopes add column stored_results bigint not null default 0;
update scopes set schema_version = 9,
  stored_results = (select count(*) from idempotency i where i.scope_id = scopes.id);

alter table idempotency add column claims bigint not null default 0;
update idempotency set claims = (select s.claims from scopes s where s.id = idempotency.scope_id);
alter table unfinished_writes add column claims bigint not null default 0;
update unfinished_writes set claims = (select s.claims from scopes s where s.id = unfinished_writes.scope_id);
`

/** Migration 10: manifests being uploaded or closed in steps. Older processes would match them, so they cannot claim a scope. */
export const pendingManifests = `
update scopes set schema_version = 10;

create table shut_manifests (
  scope_id bigint not null,
  id text not null,
  -- The scope's time from which on it was.
  since text not null,
  -- The last of its lines that was put in, or closed.
  line_no bigint not null,
  primary key (scope_id, id)
) {{clustered}};

-- The manifest that is submitted by it.
alter table unfinished_writes add column manifest_id text;
`
