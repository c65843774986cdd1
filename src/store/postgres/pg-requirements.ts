import { type Database, StoreError, sql, type Tx } from '../database.ts'

const rights = 'select, insert, update, delete'
const namedMax = 3

/** Throws `StoreError` for a standby or a login without write access, which would answer each request with 503. Takes no lock. */
export async function rejectUnwritable(db: Database, tables: readonly string[]): Promise<void> {
  // Outside a transaction: inside a read, everything is read-only.
  const state = await db.read((tx) => tx.get<State>(stateQuery), { single: true })
  if (state?.read_only === 'on') throw new StoreError('read_only', await db.read(whyReadOnly))
  const lacking = await db.read((tx) => tx.all<Lacking>(lackingRights(tables)), { single: true })
  if (state && lacking.length > 0) throw new StoreError('refused', lackText(state, lacking))
}

type State = { who: string; schema: string; read_only: string }
type Lacking = { name: string; missing: string }

const stateQuery = sql`
  select quote_ident(current_user) as who, quote_ident(current_schema()) as schema,
    current_setting('transaction_read_only') as read_only`

async function whyReadOnly(tx: Tx): Promise<string> {
  if (await tx.value<boolean>(sql`select pg_is_in_recovery() as standby`))
    return 'The database server is a standby, which accepts no writes: connect to the primary.'
  return (
    'The database accepts no writes: default_transaction_read_only is on, for the server, the database or the user. ' +
    'Turn it off, or connect to the primary.'
  )
}

function lackingRights(tables: readonly string[]) {
  return sql`
    select name, string_agg(need, ', ') as missing
    from unnest(string_to_array(${tables.join(',')}, ',')) name, unnest(string_to_array(${rights}, ', ')) need
    where not has_table_privilege(to_regclass(name), need) group by name order by name`
}

function lackText({ who, schema }: State, lacking: readonly Lacking[]): string {
  const missing = rights.split(', ').filter((need) => lacking.some((one) => one.missing.includes(need)))
  const names = lacking.slice(0, namedMax).map(({ name }) => name)
  const others = lacking.length - names.length
  return (
    `The database user ${who} may not ${missing.join(', ')} in ${names.join(', ')}` +
    `${others > 0 ? ` and ${others} more` : ''}. Have the owner of the tables run: ` +
    `grant ${rights} on all tables in schema ${schema} to ${who}`
  )
}

/** Names come in every script, so only UTF-8 will do. Throws `StoreError` for another encoding. */
export async function rejectOtherEncodings(db: Database): Promise<void> {
  const encoding = await db.read((tx) => tx.value<string>(sql`select current_setting('server_encoding')`))
  if (encoding === 'UTF8') return
  throw new StoreError(
    'refused',
    `The database stores text as ${encoding}, but custody needs UTF8. Create one with: ` +
      `create database custody template template0 encoding 'UTF8'`,
  )
}
