/**
 * Migration 6: stores each phrase of open lines once, with the place of its first line; phrases of more than 24 words are found
 * by size under an empty word. Older processes would use the old table, so they can no longer claim a scope.
 */
export const phrases = `
update scopes set schema_version = 6;

create table phrases (
  scope_id bigint not null,
  phrase_no bigint not null,
  phrase_key text not null,
  word_count bigint not null,
  words text not null,
  -- The first open line that has it, in the order of matching.
  manifest_id text not null,
  line_no bigint not null,
  primary key (scope_id, phrase_no)
) {{clustered}};
create unique index phrases_by_key on phrases (scope_id, phrase_key);

-- \`word\` may be cut short.
create table phrase_words (
  scope_id bigint not null,
  word text not null,
  word_count bigint not null,
  phrase_no bigint not null,
  primary key (scope_id, word, word_count, phrase_no)
) {{clustered}};

insert into phrases (scope_id, phrase_no, phrase_key, word_count, words, manifest_id, line_no)
  select w.scope_id, row_number() over (partition by w.scope_id order by w.phrase_key), w.phrase_key, w.word_count,
    trim(w.words), f.manifest_id,
    (select min(l.line_no) from manifest_lines l where l.scope_id = w.scope_id and l.is_open = 1
      and l.phrase_key = w.phrase_key and l.manifest_id = f.manifest_id)
  from (select scope_id, phrase_key, min(word_count) as word_count, min(words) as words
    from line_words group by scope_id, phrase_key) w
  join (select scope_id, phrase_key, min(manifest_id) as manifest_id
    from manifest_lines where is_open = 1 and phrase_key is not null group by scope_id, phrase_key) f
  on f.scope_id = w.scope_id and f.phrase_key = w.phrase_key;

insert into phrase_words (scope_id, word, word_count, phrase_no)
  select w.scope_id, w.word, w.word_count, p.phrase_no
  from line_words w join phrases p on p.scope_id = w.scope_id and p.phrase_key = w.phrase_key
  where w.word_count <= 24
  union all select scope_id, '', word_count, phrase_no from phrases where word_count > 24;

delete from counts where kind = 'words';
insert into counts (scope_id, kind, key, n)
  select scope_id, 'words', word, count(*) from phrase_words group by scope_id, word;

drop table line_words;
`
