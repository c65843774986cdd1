import { type Sql, sql } from '../../src/store/database.ts'

/**
 * The schema before migrations 6 to 10: each phrase once for each of its words, no traces, no steps, no counted results, no
 * pending manifests.
 */
export function phrasesUndone(): Sql[] {
  return [
    sql`alter table events drop column trace`,
    sql`create table line_words (scope_id bigint not null, word text not null, word_count bigint not null,
      phrase_key text not null, words text not null, primary key (scope_id, word, word_count, phrase_key))`,
    sql`insert into line_words select p.scope_id, w.word, p.word_count, p.phrase_key, ' ' || p.words || ' '
      from phrases p join phrase_words w on w.scope_id = p.scope_id and w.phrase_no = p.phrase_no where w.word <> ''`,
    sql`insert into line_words select scope_id, 'word1', word_count, phrase_key, ' ' || words || ' '
      from phrases where word_count > 24`,
    sql`insert into line_words select scope_id, 'word2', word_count, phrase_key, ' ' || words || ' '
      from phrases where word_count > 24`,
    sql`drop table phrase_words`,
    sql`drop table phrases`,
    sql`update counts set n = n + 1 where kind = 'words'`,
    sql`alter table scopes drop column stored_results`,
    sql`alter table idempotency drop column claims`,
    sql`drop table unfinished_parts`,
    sql`drop table unfinished_writes`,
    sql`drop table shut_manifests`,
    sql`delete from schema_version where version >= 6`,
  ]
}
