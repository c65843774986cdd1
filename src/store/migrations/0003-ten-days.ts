/**
 * Migration 3: how many items of each status there are of each ten days, by intake and by last change, so that a page
 * far from both ends of a list is found by adding up.
 */
export const tenDays = `
insert into counts (scope_id, kind, key, n)
  select scope_id, 'items_by_intake', substr(intake_at, 1, 9) || '|' || status, count(*) from items
  group by scope_id, substr(intake_at, 1, 9), status;
insert into counts (scope_id, kind, key, n)
  select scope_id, 'items_by_update', substr(updated_at, 1, 9) || '|' || status, count(*) from items
  group by scope_id, substr(updated_at, 1, 9), status;
`
