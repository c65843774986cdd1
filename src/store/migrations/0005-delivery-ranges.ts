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
