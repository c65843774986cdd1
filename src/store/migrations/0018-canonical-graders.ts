/**
 * Migration 18: the keys of migration 15 again, for more names of graders and more spellings of certificates, and no facts of
 * phrases, since descriptions are read anew. Older processes would write the old form.
 */
export const canonicalGraders = `
update scopes set schema_version = 18;

update phrases set facts = null where facts is not null;
`
