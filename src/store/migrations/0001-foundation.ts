/**
 * Migration 1, one text for both dialects; `{{…}}` marks differences (see migrate.ts). `scope_id` is the shard key: it begins
 * every key and index of scoped tables. Only `partners`, `scopes`, and `api_keys` are read before a scope is known.
 */
export const foundation = `
create table partners (
  id text primary key,
  name text not null unique,
  created_at text not null
);

-- One partner in one environment. Its row is claimed first by every write: one writer per scope.
create table scopes (
  id bigint primary key,
  partner_id text not null references partners (id),
  environment text not null,
  version bigint not null default 0,
  last_seq bigint not null default 0,
  last_item_no bigint not null default 0,
  last_intake_no bigint not null default 0,
  -- No time handed out in this scope lies before this one.
  last_at text not null,
  clock_offset_ms bigint not null default 0,
  -- How many webhook subscriptions are active: while there is none, no event queues a delivery.
  active_subscriptions bigint not null default 0,
  created_at text not null,
  unique (partner_id, environment)
);

create table api_keys (
  id text primary key,
  scope_id bigint not null references scopes (id),
  hash text not null unique,
  prefix text not null,
  created_at text not null,
  expires_at text,
  revoked_at text,
  last_used_at text
);
create index api_keys_by_scope on api_keys (scope_id, id);

-- Kept counts: changed in the transaction that changes what they count, never counted over all rows.
create table counts (
  scope_id bigint not null,
  kind text not null,
  key text not null,
  n bigint not null,
  primary key (scope_id, kind, key)
) {{clustered}};

create table products (
  scope_id bigint not null,
  id text not null,
  sku text not null,
  doc text not null,
  primary key (scope_id, id)
);
create unique index products_by_sku on products (scope_id, sku);

create table stock (
  scope_id bigint not null,
  sku text not null,
  on_hand bigint not null,
  available bigint not null,
  allocated bigint not null,
  primary key (scope_id, sku)
) {{clustered}};

create table manifests (
  scope_id bigint not null,
  id text not null,
  reference text not null,
  status text not null,
  expected_arrival_end text,
  unexpected bigint not null default 0,
  generated_at text,
  doc text not null,
  primary key (scope_id, id)
) {{clustered}};
create index manifests_by_status on manifests (scope_id, status, id);
create index manifests_by_reference on manifests (scope_id, reference, id, status);
create index manifests_due on manifests (scope_id, expected_arrival_end, id)
  where status <> 'reconciled' and expected_arrival_end is not null;

create table manifest_lines (
  scope_id bigint not null,
  manifest_id text not null,
  line_no bigint not null,
  id text not null,
  cert_key text,
  sku text,
  -- Which set of words it is described by, where it has neither certificate nor SKU.
  phrase_key text,
  quantity bigint not null,
  clean bigint not null default 0,
  flagged bigint not null default 0,
  -- 1 while an arrival may still be matched to it.
  is_open bigint not null,
  condition_flags text not null default '[]',
  match_key text,
  match_score double precision,
  doc text not null,
  primary key (scope_id, manifest_id, line_no)
) {{clustered}};
create unique index manifest_lines_by_id on manifest_lines (scope_id, id);
create index manifest_lines_open_by_cert on manifest_lines (scope_id, cert_key, manifest_id, line_no)
  where is_open = 1 and cert_key is not null;
create index manifest_lines_open_by_sku on manifest_lines (scope_id, sku, manifest_id, line_no)
  where is_open = 1 and sku is not null;
create index manifest_lines_open_by_phrase on manifest_lines (scope_id, phrase_key, manifest_id, line_no)
  where is_open = 1 and phrase_key is not null;

-- Each word of each set of words that an open line is described by: candidates for a match by description.
-- \`word\` may be cut short; \`words\` is the whole set.
create table line_words (
  scope_id bigint not null,
  word text not null,
  word_count bigint not null,
  phrase_key text not null,
  words text not null,
  primary key (scope_id, word, word_count, phrase_key)
) {{clustered}};

create table items (
  scope_id bigint not null,
  qid text not null,
  item_no bigint not null,
  type text not null,
  status text not null,
  held bigint not null,
  sku text not null,
  sku_fold text not null,
  -- Folded name and SKU, a line each: what \`search\` looks in.
  search_text text not null,
  cert_number text,
  cert_key text,
  grader_key text,
  manifest_id text,
  line_id text,
  fulfillment_id text,
  transfer_id text,
  condition_flags text not null default '[]',
  intake_at text not null,
  updated_at text not null,
  doc text not null,
  primary key (scope_id, qid)
);
create unique index items_by_no on items (scope_id, item_no);
create index items_held_by_intake on items (scope_id, held, intake_at, item_no);
create index items_held_by_update on items (scope_id, held, updated_at, item_no);
create index items_by_status_intake on items (scope_id, status, intake_at, item_no);
create index items_by_status_update on items (scope_id, status, updated_at, item_no);
create index items_by_sku on items (scope_id, sku, status, intake_at, item_no);
create index items_by_cert on items (scope_id, cert_number, item_no) where cert_number is not null;
create index items_by_grader on items (scope_id, grader_key, held, intake_at, item_no) where grader_key is not null;
create index items_by_line on items (scope_id, line_id, item_no) where line_id is not null;

{{search}}

create table intakes (
  scope_id bigint not null,
  intake_no bigint not null,
  qid text not null,
  intake_at text not null,
  manifest_id text,
  line_id text,
  cert_number text,
  doc text not null,
  primary key (scope_id, intake_no)
) {{clustered}};
create index intakes_by_time on intakes (scope_id, intake_at, intake_no);
create index intakes_by_manifest on intakes (scope_id, manifest_id, intake_no) where manifest_id is not null;
create index intakes_unexpected on intakes (scope_id, manifest_id, intake_no, line_id)
  where manifest_id is not null and line_id is null;
create index intakes_by_cert on intakes (scope_id, cert_number, intake_no, manifest_id)
  where cert_number is not null;

create table fulfillments (
  scope_id bigint not null,
  id text not null,
  status text not null,
  external_ref text,
  -- 1 once it was handed to the carrier: an exception then goes on to shipped or returned only.
  has_shipped bigint not null default 0,
  -- The stage an exception interrupted; processing resumes there.
  interrupted_stage text,
  doc text not null,
  primary key (scope_id, id)
) {{clustered}};
create index fulfillments_by_status on fulfillments (scope_id, status, id);
create index fulfillments_by_ref on fulfillments (scope_id, external_ref, id) where external_ref is not null;
create index fulfillments_by_ref_status on fulfillments (scope_id, external_ref, status, id)
  where external_ref is not null;

create table fulfillment_items (
  scope_id bigint not null,
  qid text not null,
  fulfillment_id text not null,
  primary key (scope_id, qid, fulfillment_id)
) {{clustered}};

create table transfers (
  scope_id bigint not null,
  id text not null,
  status text not null,
  doc text not null,
  primary key (scope_id, id)
) {{clustered}};
create index transfers_by_status on transfers (scope_id, status, id);

create table events (
  scope_id bigint not null,
  seq bigint not null,
  id text not null,
  type text not null,
  created_at text not null,
  payload text not null,
  primary key (scope_id, seq)
) {{clustered}};
create unique index events_by_id on events (scope_id, id);
create index events_by_type on events (scope_id, type, seq);

create table idempotency (
  scope_id bigint not null,
  path text not null,
  key text not null,
  fingerprint text not null,
  status bigint not null,
  body {{blob}} not null,
  created_at text not null,
  primary key (scope_id, path, key)
) {{clustered}};
create index idempotency_by_age on idempotency (scope_id, created_at);

create table webhook_subscriptions (
  scope_id bigint not null,
  id text not null,
  active bigint not null,
  secret text not null,
  previous_secret text,
  previous_until text,
  -- Since when no attempt has succeeded; null after a success.
  failing_since text,
  -- A receiver's Retry-After holds back all of its deliveries.
  paused_until text,
  doc text not null,
  primary key (scope_id, id)
) {{clustered}};

-- The outbox: one row for each event and each subscription that wants it, made in the event's own transaction.
-- Times are the scope's, but for the lease: that is a process's, so it is the machine's.
create table deliveries (
  scope_id bigint not null,
  subscription_id text not null,
  id text not null,
  event_id text not null,
  -- Where the payload stands in the log; null for a sample, which stands nowhere else.
  seq bigint,
  payload text,
  event_type text not null,
  status text not null,
  attempts bigint not null default 0,
  -- Attempts that belong to an earlier round, before it was queued again: the schedule starts anew.
  earlier_attempts bigint not null default 0,
  response_code bigint,
  last_error text,
  last_attempt_at text,
  next_attempt_at text,
  lease_owner text,
  lease_until text,
  created_at text not null,
  primary key (scope_id, subscription_id, id)
) {{clustered}};
create index deliveries_by_status on deliveries (scope_id, subscription_id, status, id);
create index deliveries_due on deliveries (scope_id, subscription_id, next_attempt_at, id) where status = 'pending';
`

/** FTS5 trigrams for `search` and partial `sku`. The rowid is `scope_id * 2^32 + item_no`, so a scope is a range of rowids. */
export const sqliteSearch = `
create virtual table items_fts using fts5 (search_text, content = '', columnsize = 0, detail = none,
  tokenize = 'trigram case_sensitive 1');
`
