/**
 * Migration 18: derives the keys of migration 15 again, for more names of graders and more spellings of certificates. Clears the facts
 * of phrases, because descriptions are now read differently. Older processes would write the old form.
 */
export const canonicalGraders = `
update scopes set schema_version = 18;

update phrases set facts = null where facts is not null;
`
