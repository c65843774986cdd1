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
