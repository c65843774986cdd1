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
