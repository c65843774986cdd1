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
