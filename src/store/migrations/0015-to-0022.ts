import { certKey } from '../../domain/graders/certificate.ts'
import { graderKey } from '../../domain/graders/graders.ts'
import { join, raw, type Sql, type SqlValue, sql, type Tx } from '../database.ts'

/**
 * Migration 15: canonical certificates and graders, read from the documents by `canonicalise`, which migration 20 runs for both.
 * Intakes keep their certificate in `cert_number`; items no longer use that column. Older processes would write the old form.
 */
export const canonicalCertificates = `
update scopes set schema_version = 15;
`

const rowsAtOnce = 500

export async function canonicalise(tx: Tx): Promise<void> {
  const items = await rewrite(tx, 'items', ['scope_id', 'item_no'], {
    cert_key: ({ cert_number }) => certKey(cert_number),
    grader_key: ({ grader }) => graderKey(grader),
  })
  await rewrite(tx, 'intakes', ['scope_id', 'intake_no'], {
    cert_number: ({ item }) => certKey(item.cert_number),
  })
  await rewrite(tx, 'manifest_lines', ['scope_id', 'manifest_id', 'line_no'], {
    cert_key: ({ cert_number }) => certKey(cert_number),
  })
  if (items === 0) return
  await tx.run(sql`delete from counts where kind = 'items'`)
  await tx.run(sql`
    insert into counts (scope_id, kind, key, n)
    select scope_id, 'items', status || '|' || coalesce(grader_key, ''), count(*) from items
    group by scope_id, status, coalesce(grader_key, '')`)
}

type Keyed = Record<string, SqlValue>
type Graded = { grader: string; cert_number: string; item: { cert_number: string } }

async function rewrite(
  tx: Tx,
  table: string,
  key: readonly string[],
  columns: Readonly<Record<string, (doc: Graded) => string>>,
): Promise<number> {
  let changes = 0
  const names = Object.keys(columns)
  const keys = raw(key.join(', '))
  const isGiven = raw(names.map((name) => `${name} is not null`).join(' or '))
  for (let after: Sql = sql``; ; ) {
    const rows = await tx.all<Keyed>(sql`
      select ${keys}, ${raw(names.join(', '))}, doc from ${raw(table)} where (${isGiven}) ${after}
      order by ${keys} limit ${rowsAtOnce}`)
    for (const row of rows) {
      const doc: Graded = JSON.parse(String(row.doc))
      const changed = names.flatMap((name) => {
        const text = row[name]
        const next = text === null ? text : columns[name]?.(doc)
        return next === text ? [] : [sql`${raw(name)} = ${next}`]
      })
      if (changed.length === 0) continue
      changes += 1
      const place = key.map((name) => sql`${raw(name)} = ${row[name]}`)
      await tx.change(sql`update ${raw(table)} set ${join(changed)} where ${join(place, ' and ')}`)
    }
    const last = rows.at(-1)
    if (!last) return changes
    after = sql`and (${keys}) > (${join(key.map((name) => last[name] ?? null))})`
  }
}

/**
 * Migration 16: card numbers and years that all lines of a phrase share (decisions 13), so that a search skips other cards. Null
 * for older phrases and if lines differ: then the lines are read. Older processes would not compare, so they can no longer claim
 * a scope.
 */
export const cardFacts = `
update scopes set schema_version = 16;

alter table phrases add column facts text;
`

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

/**
 * Migrations 18 to 20 derive the keys of migration 15 again, for more names of graders and more spellings of certificates. They and 22
 * clear the facts of phrases, because descriptions are now read differently. Older processes would write the old form.
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

/** Migration 21: when a rotation replaced a key. Its end is then the rotation's, and not a lifetime for another key. */
export const replacedKeys = `
alter table api_keys add column replaced_at text;
`

export const cardNumbersAgain = canonicalAgain(22)
