import { existsSync } from 'node:fs'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { WebhookEvent } from '../contract/resources/event.ts'
import { itemOf } from '../domain/items/log-state.ts'
import { StoreError } from './database.ts'
import { makePrivate } from './sqlite/sqlite-file.ts'

/** `text` is the event's JSON, byte for byte. */
type MirrorEvent = { id: string; type: string; created_at: string; data: unknown; text: string }

/** `after`: the id of the last event stored. */
type MirrorState = { after: string | null; events: number }

/** Raise this when a table changes: older files are then rebuilt. */
const format = 1

type Fields = Readonly<Record<string, unknown>>
type Table = { key: string; columns: string; integers?: string }

/** Columns are separated by commas and named after the API's fields. Each field of an address or an issue has its own column. */
const mirrorTables: Readonly<Record<string, Table>> = {
  events: { key: 'seq', columns: 'seq, id, type, created_at, event', integers: 'seq' },
  items: {
    key: 'qid',
    columns:
      'qid, type, name, sku, status, category, set, card_number, external_ref, manifest_line_id, ' +
      'active_fulfillment_id, image_assets, intake_at, updated_at, cert_number, grade, grader',
  },
  intakes: {
    key: 'event_id',
    columns: 'event_id, qid, intake_at, manifest_id, manifest_line_id, condition_flags',
  },
  fulfillments: {
    key: 'id',
    columns:
      'id, status, type, external_ref, created_at, updated_at, deliver_by, carrier, service, ' +
      'tracking_number, tracking_url, special_instructions, recipient_name, street, street_2, city, ' +
      'state, zip, country, issue_code, issue_message, issue_occurred_at',
  },
  fulfillment_items: { key: 'fulfillment_id, qid', columns: 'fulfillment_id, qid' },
  transfers: { key: 'id', columns: 'id, status, type, external_ref, created_at, updated_at' },
  transfer_items: { key: 'transfer_id, qid', columns: 'transfer_id, qid' },
  reconciliations: {
    key: 'event_id',
    columns:
      'event_id, manifest_id, generated_at, expected, matched, missing, unexpected, condition_mismatch',
    integers: 'expected, matched, missing, unexpected, condition_mismatch',
  },
}

function namesIn(text: string): string[] {
  return text.split(', ')
}

export type Mirror = {
  state(): MirrorState
  /** Adds events and moves the position in one transaction. Throws `StoreError` if another run has moved it. */
  add(events: readonly MirrorEvent[]): void
  close(): void
}

/** Opens or creates a target's mirror. Throws `StoreError` if the file is not a mirror or belongs to another target. */
export function openMirror(file: string, target: string): Mirror {
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  if (!existsSync(file)) makePrivate(file)
  const db = new sqlite.DatabaseSync(file, { timeout: 5000 })
  try {
    db.exec('pragma journal_mode = wal; pragma synchronous = normal')
    prepareFile(db, file, target)
    return mirrorOn(db, file)
  } catch (error) {
    db.close()
    throw error
  }
}

function prepareFile(db: DatabaseSync, file: string, target: string): void {
  inTransaction(db, () => {
    const tables = db.prepare("select count(*) as n from sqlite_master where name not like 'sqlite_%'").get()
    const isMirror =
      db.prepare("select 1 from sqlite_master where name = 'custody_mirror'").get() !== undefined
    if (!isMirror && tables?.n !== 0)
      throw new StoreError('refused', `${file} is a database, but not a mirror made by custody.`)
    if (isMirror) {
      const found = db.prepare('select format, target from custody_mirror').get()
      // Some builds wrote the name of the partner behind it.
      const [known] = String(found?.target).split(' ')
      if (known !== target) {
        const message = `${file} is the mirror of another target. Nothing was changed: name another file.`
        throw new StoreError('refused', message)
      }
      if (found?.format === format) return
      for (const name of ['custody_mirror', ...Object.keys(mirrorTables)])
        db.exec(`drop table if exists ${name}`)
    }
    for (const statement of mirrorSchema()) db.exec(statement)
    db.prepare('insert into custody_mirror values (?, ?, null, 0)').run(format, target)
  })
}

function mirrorSchema(): string[] {
  const tables = Object.entries(mirrorTables).map(([name, { key, columns, integers = '' }]) => {
    const typeOf = (column: string) => (namesIn(integers).includes(column) ? 'integer' : 'text')
    const defined = namesIn(columns).map((column) => `"${column}" ${typeOf(column)}`)
    return `create table ${name} (\n  ${defined.join(',\n  ')},\n  primary key (${key})\n)`
  })
  return [
    'create table custody_mirror (format integer, target text, after text, events integer)',
    ...tables,
    'create unique index events_by_id on events (id)',
    'create index events_by_time on events (created_at)',
    'create index items_by_cert on items (cert_number)',
    'create index intakes_by_qid on intakes (qid)',
    'create index fulfillment_items_by_qid on fulfillment_items (qid)',
  ]
}

function mirrorOn(db: DatabaseSync, file: string): Mirror {
  const state = (): MirrorState => {
    return db.prepare('select after, events from custody_mirror').get() as MirrorState
  }
  const put = putterOf(db)
  const remove = (table: string, column: string, id: unknown): void => {
    db.prepare(`delete from ${table} where ${column} = ?`).run(id as SQLInputValue)
  }
  let last = state()
  return {
    state: () => last,
    add(events) {
      inTransaction(db, () => {
        if (state().events !== last.events)
          throw new StoreError(
            'refused',
            `Another process has written to ${file} meanwhile. Run the command again.`,
          )
        for (const [at, event] of events.entries()) addEvent(event, last.events + at + 1, put, remove)
        const next = { ...last, after: events.at(-1)?.id ?? last.after, events: last.events + events.length }
        db.prepare('update custody_mirror set after = ?, events = ?').run(next.after, next.events)
        last = next
      })
    },
    close: () => db.close(),
  }
}

type Put = (table: string, row: Fields) => void
type Remove = (table: string, column: string, id: unknown) => void

function addEvent(
  { id, type, created_at, data, text }: MirrorEvent,
  seq: number,
  put: Put,
  remove: Remove,
): void {
  put('events', { seq, id, type, created_at, event: text })
  const fields = data as Fields
  const list = (table: string, owner: string): void => {
    remove(table, owner, fields.id)
    for (const qid of new Set(fields.qids as string[])) put(table, { [owner]: fields.id, qid })
  }
  const item = itemOf({ type, data } as WebhookEvent)
  if (item) put('items', item)
  if (type === 'item.intake.completed') put('intakes', { ...fields, event_id: id })
  else if (type.startsWith('fulfillment.')) {
    const issue = (fields.issue ?? {}) as Fields
    const address = (fields.shipping_address ?? {}) as Fields
    const issued = {
      issue_code: issue.code,
      issue_message: issue.message,
      issue_occurred_at: issue.occurred_at,
    }
    put('fulfillments', { ...fields, ...address, ...issued })
    list('fulfillment_items', 'fulfillment_id')
  } else if (type.startsWith('transfer.')) {
    put('transfers', fields)
    list('transfer_items', 'transfer_id')
  } else if (type === 'manifest.reconciliation.completed')
    put('reconciliations', { ...fields, ...(fields.totals as Fields), event_id: id })
}

function putterOf(db: DatabaseSync): Put {
  const statements = new Map(
    Object.entries(mirrorTables).map(([name, table]) => {
      const columns = namesIn(table.columns)
      const marks = columns.map(() => '?').join(', ')
      // `insert` for events: a repeated number or id is an error.
      const verb = name === 'events' ? 'insert into' : 'insert or replace into'
      return [name, { columns, statement: db.prepare(`${verb} ${name} values (${marks})`) }]
    }),
  )
  return (table, row) => {
    const { columns, statement } = statements.get(table)!
    statement.run(...columns.map((column) => storable(row[column])))
  }
}

function storable(value: unknown): SQLInputValue {
  if (value === undefined || value === null) return null
  return typeof value === 'object' ? JSON.stringify(value) : (value as SQLInputValue)
}

function inTransaction(db: DatabaseSync, task: () => void): void {
  db.exec('begin immediate')
  try {
    task()
    db.exec('commit')
  } catch (error) {
    db.exec('rollback')
    throw error
  }
}

export type QueryResult = { columns: string[]; rows: Iterable<Record<string, unknown>>; close(): void }

/** Without the comments, spaces and semicolons before its first word. */
function fromFirstWord(query: string): string {
  for (let rest = query.trimStart(); ; rest = rest.trimStart()) {
    const [begin, end] = openings.find(([opening]) => rest.startsWith(opening)) ?? []
    if (begin === undefined || end === undefined) return rest
    const at = rest.indexOf(end, begin === end ? 0 : begin.length)
    rest = at < 0 ? '' : rest.slice(at + end.length)
  }
}

const openings = [
  ['--', '\n'],
  ['/*', '*/'],
  [';', ';'],
] as const

/** Throws `StoreError` if the file is missing, and SQLite's own error for a wrong query. */
export function queryMirror(file: string, query: string): QueryResult {
  if (fromFirstWord(query) === '') throw new StoreError('refused', 'The query is empty.')
  const sqlite: typeof import('node:sqlite') = process.getBuiltinModule('node:sqlite')
  const db = new sqlite.DatabaseSync(file, { readOnly: true, timeout: 5000 })
  try {
    const { SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_PRAGMA } = sqlite.constants
    const reads = [SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE]
    db.setAuthorizer((action, name, value) => {
      const isReading =
        action === SQLITE_PRAGMA
          ? value === null || /_(x?info|list)$/i.test(name ?? '')
          : reads.includes(action)
      return isReading ? sqlite.constants.SQLITE_OK : sqlite.constants.SQLITE_DENY
    })
    const statement = db.prepare(query)
    if (fromFirstWord(query.slice(statement.sourceSQL.length)) !== '')
      throw new StoreError('refused', 'Give one query at a time.')
    return {
      columns: statement.columns().map(({ name }) => name),
      rows: statement.iterate() as Iterable<Record<string, unknown>>,
      close: () => db.close(),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

export function* mirroredEvents(file: string): Generator<string> {
  const { rows, close } = queryMirror(file, 'select event from events order by seq')
  try {
    for (const { event } of rows) yield String(event)
  } finally {
    close()
  }
}
