/**
 * Migrations 18 to 20: derive the keys of migration 15 again, for more names of graders and more spellings of certificates. Clear the
 * facts of phrases, because descriptions are now read differently. Older processes would write the old form.
 */
function canonicalAgain(version: number): string {
  return `
update scopes set schema_version = ${version};

update phrases set facts = null where facts is not null;
`
}

export const canonicalGraders = canonicalAgain(18)

export const namedCertificates = canonicalAgain(19)

export const namedByAliases = canonicalAgain(20)
