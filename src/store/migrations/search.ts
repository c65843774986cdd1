/**
 * Full-text candidates for `search` and partial `sku`: every substring of three characters or more.
 * SQLite: an FTS5 trigram index whose rowid is `scope_id * 2^32 + item_no`, so that one scope is a range of rowids.
 */
export const sqliteSearch = `
create virtual table items_fts using fts5 (search_text, content = '', columnsize = 0, detail = none,
  tokenize = 'trigram case_sensitive 1');
`
