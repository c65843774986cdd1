/**
 * Migration 14: what makes an order the same as another is kept, so that repeats are found, and a digest of a manifest's lines. A
 * table of its own, because an index would read a million documents at once; orders from before are worked off in steps, from
 * what is noted here. Older processes would keep no identities, so they can no longer claim a scope.
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
