import { isDeepStrictEqual } from 'node:util'
import type { ErrorBody } from '../contract/resources/error.ts'
import { Unmet } from './outcomes.ts'
import type { Seen } from './service.ts'

const shownMax = 300

/** Throws `Unmet` unless both are deeply equal. */
export function same(seen: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(seen, expected)) return
  throw new Unmet(`${what}: expected ${shown(expected)}, saw ${shown(seen)}`)
}

/** Throws `Unmet` unless the condition holds; the message shows `seen`. */
export function holds(condition: boolean, what: string, seen?: unknown): asserts condition {
  if (condition) return
  throw new Unmet(seen === undefined ? `not true: ${what}` : `not true: ${what}; saw ${shown(seen)}`)
}

export function each<T, Field extends keyof T>(list: readonly T[], field: Field): Array<T[Field]> {
  return list.map((entry) => entry[field])
}

/** Throws `Unmet` if the value is missing. */
export function present<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Unmet(`${what} is not there`)
  return value
}

/** Throws `Unmet` unless the response is an Error (2.12) with this status and code. */
export function rejected(seen: Seen, status: number, code: string): ErrorBody {
  const body = seen.body as Partial<ErrorBody> | undefined
  same([seen.status, body?.code], [status, code], `${seen.name} must reject; status and code`)
  return body as ErrorBody
}

/** Messages by field. Throws `Unmet` unless this is a 400 `validation_error` that names at least these fields (decisions 3). */
export function faulty(seen: Seen, ...fields: string[]): Record<string, string[]> {
  const { extra } = rejected(seen, 400, 'validation_error')
  const named = (extra.fields ?? {}) as Record<string, string[]>
  for (const field of fields) {
    holds(Array.isArray(named[field]) && named[field].length > 0, `${seen.name} names ${field}`, extra)
  }
  return named
}

/** Throws `Unmet` unless the response has this status. */
export function answered(seen: Seen, status: number): Seen {
  if (seen.status !== status) {
    throw new Unmet(`${seen.name}: expected ${status}, saw ${seen.status} ${seen.text.slice(0, shownMax)}`)
  }
  return seen
}

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}
