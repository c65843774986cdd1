/**
 * Migration 16: a phrase keeps the card numbers and years that all its lines name (decisions 13), so that a search passes over
 * other cards without reading their lines. Null if lines differ, and for phrases of before: then the lines themselves are read.
 * Older processes would add lines without comparing, so they can no longer claim a scope.
 */
export const cardFacts = `
update scopes set schema_version = 16;

alter table phrases add column facts text;
`
