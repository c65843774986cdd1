/**
 * Migration 3: how many items of each status there are per ten days, by intake and by last change, so that a page far
 * from both ends of a list is found by adding up. Older processes would not keep these counts, so they can no longer claim
 * a scope; from here on a claim reads the schema's version. The rename comes first because it waits for open writes.
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
