/**
 * Migration 17: received arrival files, so that none is received twice and a delivery with equal content is not lost. Kept
 * forever: the intake numbers are enough to repeat the result. Older processes would record none.
 */
export const arrivalFiles = `
update scopes set schema_version = 17;

create table arrival_files (
  scope_id {{int}} not null,
  first_no {{int}} not null,
  last_no {{int}} not null,
  content text not null,
  delivery text,
  manifest_id text,
  primary key (scope_id, first_no)
) {{clusteredStrict}};
create index arrival_files_by_content on arrival_files (scope_id, content, first_no);
create index arrival_files_by_delivery on arrival_files (scope_id, delivery, first_no) where delivery is not null;
`
