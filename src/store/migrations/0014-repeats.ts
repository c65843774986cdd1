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
