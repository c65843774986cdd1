import type { ErrorCode } from '../contract/enums.ts'

/** Errors by field path, e.g. `{ 'lines[3].sku': ['is not in the catalog'] }` (decisions 3). */
export type FieldErrors = Record<string, string[]>

/** A failure that the contract defines. Only the service maps its code to a status. */
export class Rejection extends Error {
  readonly code: ErrorCode
  readonly extra: Record<string, unknown>
  constructor(code: ErrorCode, message: string, extra: Record<string, unknown> = {}) {
    super(message)
    this.name = 'Rejection'
    this.code = code
    this.extra = extra
  }
}

/** Absent, foreign and other-environment resources get the same error (part 5, rule 4). */
export function notFound(): Rejection {
  return new Rejection('not_found', 'No such resource.')
}

/** Throws `not_found` if there is no such row. */
export function existing<T>(row: T | undefined | null): T {
  if (row === undefined || row === null) throw notFound()
  return row
}

/** 409 (part 7). */
export function conflict(message: string, extra: Record<string, unknown> = {}): Rejection {
  return new Rejection('state_conflict', message, extra)
}

/** 400 with every invalid field named (decisions 3). */
export function invalid(
  fields: FieldErrors,
  message = summary(fields),
  extra: Record<string, unknown> = {},
): Rejection {
  return new Rejection('validation_error', message, { fields, ...extra })
}

function summary(fields: FieldErrors): string {
  const names = Object.keys(fields)
  const [first] = names
  if (first === undefined) return 'The request is not valid.'
  if (names.length === 1) return sentence(`${first} ${fields[first]?.[0]}`)
  return `${names.length} fields are not valid: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`
}

/** A suggestion such as "did you mean sku?" is complete. */
export function sentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}

/** A request without its invalid fields: any part may be missing. A complete request fits too. */
export type Given<T> =
  T extends ReadonlyArray<infer E>
    ? ReadonlyArray<Given<E> | undefined>
    : T extends object
      ? { readonly [K in keyof T]?: Given<T[K]> | undefined }
      : T

/** Continuing could lose goods, so the transaction is rolled back and the request fails with internal_error. */
export class BrokenInvariant extends Error {
  constructor(expected: string, ids: readonly unknown[]) {
    super(`Broken invariant: ${expected} (${ids.map(shown).join(', ')})`)
    this.name = 'BrokenInvariant'
  }
}

/** `expected` says what must hold, `ids` for which objects. Runs in production: keep it cheap. */
export function assert(condition: boolean, expected: string, ...ids: unknown[]): asserts condition {
  if (!condition) throw new BrokenInvariant(expected, ids)
}

function shown(id: unknown): string {
  const text = typeof id === 'string' ? id : (JSON.stringify(id) ?? String(id))
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
