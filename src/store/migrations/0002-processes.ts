/** Migration 2: state shared by processes. It holds no partner data, is never copied, and may be lost at any time. */
export const processes = `
-- Work that one process does for all, until its lease has run out. Times are the machine's.
create table leases (
  name text primary key,
  owner text not null,
  until text not null
);

-- A token bucket for each API key.
create {{unlogged}} table rate_limits (
  key_id text primary key,
  level_milli double precision not null,
  at_ms double precision not null,
  -- Whether the last request was let through.
  allowed bigint not null
);
`
