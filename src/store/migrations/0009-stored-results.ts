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
