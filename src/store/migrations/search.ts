/** FTS5 trigrams for `search` and partial `sku`. The rowid is `scope_id * 2^32 + item_no`, so a scope is a range of rowids. */
export const sqliteSearch = `
create virtual table items_fts using fts5 (search_text, content = '', columnsize = 0, detail = none,
  tokenize = 'trigram case_sensitive 1');
`
