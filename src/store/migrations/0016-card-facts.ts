/**
 * Migration 16: card numbers and years that all lines of a phrase share (decisions 13), so that a search skips other cards. Null
 * for older phrases and if lines differ: then the lines are read. Older processes would not compare, so they can no longer claim
 * a scope.
 */
export const cardFacts = `
update scopes set schema_version = 16;

alter table phrases add column facts text;
`
