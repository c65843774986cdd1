/**
 * SQL is written where it runs, whole, with this tag: parameters only; it renders `?` (SQLite) and `$n` (PostgreSQL).
 *
 * The portable subset that every query keeps to:
 * - identifiers and times as text (UUIDs lower case; UTC, `YYYY-MM-DDTHH:MM:SS.sssZ`, so that text order is time order),
 *   JSON as text, flags as 0 and 1, numbers as bigint read back as JavaScript numbers;
 * - `returning`, `on conflict`, partial indexes, `like … escape '\'` on folded text; no dialect's own functions;
 * - `scope_id` first in every key and in every where clause; an explicit tie-breaker in every `order by`.
 * What must differ has one named function per dialect (`store/sqlite-*.ts`, `store/pg-*.ts`).
 */
class Sql {
  readonly shape: Shape
  readonly values: readonly unknown[]
  constructor(shape: Shape, values: readonly unknown[]) {
    this.shape = shape
    this.values = values
  }
  /** For SQLite. */
  get sql(): string {
    this.shape.sqlite ??= this.shape.pieces.join('?')
    return this.shape.sqlite
  }
  /** For PostgreSQL. */
  get text(): string {
    this.shape.postgres ??= this.shape.pieces.reduce((text, piece, at) => `${text}$${at}${piece}`)
    return this.shape.postgres
  }
}

export type { Sql }

/**
 * What is the same each time that a statement is made: its pieces, between which the values stand, and its texts, each made once.
 * `within`: the shapes that it has with another in the place of a value.
 */
type Shape = {
  readonly pieces: readonly string[]
  sqlite?: string
  postgres?: string
  within?: Map<number, WeakMap<Shape, Shape>>
}

const templates = new WeakMap<readonly string[], Shape>()
const lists = new Map<string, Shape>()
const texts = new Map<string, Shape>()
/** Longer lists are rare and of many lengths. */
const keptLength = 128
/** Names of tables and columns. */
const keptTexts = 1000

/** A statement or a part of one: values become its parameters, parts become part of its text. */
export function sql(strings: readonly string[], ...given: readonly unknown[]): Sql {
  const template = templates.get(strings) ?? { pieces: strings }
  templates.set(strings, template)
  return filled(template, given)
}

/** Values or parts, one after the other. Throws where there is none. */
export function join(given: readonly unknown[], separator = ','): Sql {
  if (given.length === 0) throw new TypeError('there is nothing to join')
  const name = `${given.length}${separator}`
  const list = lists.get(name) ?? listOf(given.length, separator)
  if (given.length <= keptLength) lists.set(name, list)
  return filled(list, given)
}

/** Parts of many forms, one after the other: what they make together is hardly ever made again, and not kept. */
export function joinOnce(parts: readonly Sql[], separator: string): Sql {
  return filled(listOf(parts.length, separator), parts)
}

function listOf(length: number, separator: string): Shape {
  return { pieces: ['', ...Array<string>(length - 1).fill(separator), ''] }
}

/** Text as it is: never what somebody has sent. */
export function raw(text: string): Sql {
  const shape = texts.get(text) ?? { pieces: [text] }
  if (texts.size < keptTexts) texts.set(text, shape)
  return new Sql(shape, [])
}

export const empty = raw('')

function filled(template: Shape, given: readonly unknown[]): Sql {
  let shape = template
  const values: unknown[] = []
  for (const one of given) {
    if (!(one instanceof Sql)) values.push(one)
    else {
      shape = shapeWith(shape, values.length, one.shape)
      for (const value of one.values) values.push(value)
    }
  }
  return new Sql(shape, values)
}

/** A shape with a part in the place of one of its values. */
function shapeWith(shape: Shape, place: number, part: Shape): Shape {
  shape.within ??= new Map()
  const known = shape.within.get(place) ?? new WeakMap<Shape, Shape>()
  shape.within.set(place, known)
  const found = known.get(part)
  if (found) return found
  const pieces = shape.pieces.slice(0, place + 1)
  for (const [at, piece] of part.pieces.entries()) {
    if (at === 0) pieces[place] += piece
    else pieces.push(piece)
  }
  pieces[pieces.length - 1] += shape.pieces[place + 1] ?? ''
  const made = { pieces: [...pieces, ...shape.pieces.slice(place + 2)] }
  known.set(part, made)
  return made
}

/** A `like` pattern that finds `text` anywhere; use with `escape '\'`. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/**
 * Values for an `in (…)`, the last repeated up to a power of two: few texts of one query, so that each stays prepared,
 * instead of one for every length.
 */
export function padded<T>(values: readonly T[]): T[] {
  const length = 2 ** Math.ceil(Math.log2(Math.max(values.length, 1)))
  return Array.from({ length }, (_, at) => values[Math.min(at, values.length - 1)] as T)
}

/** What is found for values of any number, asked for so many at a time. */
export async function allAmong<V, T>(
  values: readonly V[],
  atOnce: number,
  find: (some: V[]) => Promise<T[]>,
): Promise<T[]> {
  const all: T[] = []
  for (let from = 0; from < values.length; from += atOnce) {
    for (const found of await find(values.slice(from, from + atOnce))) all.push(found)
  }
  return all
}

/** Inserts a row of a scope, or changes these columns of the one with its id: both from the same values. */
export function upsert(
  table: string,
  row: Readonly<Record<'scope_id' | 'id', unknown> & Record<string, unknown>>,
  changing: readonly string[],
): Sql {
  const changes = changing.map((name) => `${name} = excluded.${name}`)
  return sql`
    insert into ${raw(table)} (${raw(Object.keys(row).join(', '))}) values (${join(Object.values(row))})
    on conflict (scope_id, id) do update set ${raw(changes.join(', '))}`
}

/**
 * Begins a statement that looks each of these keys up by itself, as `asked.k`, in a cross join; the last comes more than once. Of `in` with a list SQLite may
 * make a walk over all that a scope has of the table, if its primary key begins with the scope too.
 */
export function asked(keys: readonly string[]): Sql {
  return sql`with asked (k) as (values (${join(padded(keys), '),(')}))`
}
