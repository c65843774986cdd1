import type * as z from 'zod/mini'
import { pathText } from '../../contract/json-scan.ts'
import { faultsMax } from '../../contract/limits.ts'
import { own } from '../../contract/own.ts'
import { closestName } from '../../domain/closest-name.ts'
import { type FieldErrors, invalid, type Rejection } from '../../domain/rejection.ts'

type Issue = z.core.$ZodIssue

/** At most `faultsMax` messages in all (decisions 3). */
export type Faults = { fields: FieldErrors; left: number }

export const givenTwice = 'was given twice; give it once'
export const notKnown = 'is not known here; leave it out'

export function wrongType(takesForm: boolean): Rejection {
  const right = takesForm
    ? 'multipart/form-data with the CSV in the field file'
    : 'application/json for this operation'
  return invalid({ 'content-type': [`must be ${right}`] })
}

const nameMax = 100
const suggestionsMax = 20

/** Without a prototype, since a field may be called anything, even `__proto__`. */
export function noFaults(): Faults {
  return { fields: Object.create(null), left: faultsMax }
}

export function addFault(faults: Faults, path: string, message: string): undefined {
  if (faults.left === 0) return
  const name = (path.length > nameMax ? `${path.slice(0, nameMax)}…` : path).toWellFormed()
  const messages = faults.fields[name]
  if (messages?.includes(message)) return
  faults.left -= 1
  if (messages) messages.push(message)
  else faults.fields[name] = [message]
}

/** Adds errors beyond the form, but none for a field that already has an error of form. */
export function addFound(faults: Faults, found: FieldErrors): void {
  const before = new Set(Object.keys(faults.fields))
  for (const [path, messages] of Object.entries(found))
    if (!before.has(path)) for (const message of messages) addFault(faults, path, message)
}

/** Sets the value of an invalid field to undefined, so that the others can be checked: the field counts as present. */
export function takeOut(sent: unknown, path: readonly PropertyKey[]): void {
  let at = sent as Record<PropertyKey, unknown> | null | undefined
  for (const part of path.slice(0, -1)) {
    if (typeof at !== 'object' || at === null) return
    at = at[part] as typeof at
  }
  const last = path.at(-1)
  if (typeof at === 'object' && at !== null && last !== undefined) at[last] = undefined
}

/** `known`: names to suggest. A field keeps its first error. */
export function addIssues(faults: Faults, issues: readonly Issue[], known: readonly string[] = []): void {
  const before = new Set(Object.keys(faults.fields))
  let suggestions = suggestionsMax
  const add = (path: string, message: string): void => {
    if (!before.has(path)) addFault(faults, path, message)
  }
  for (const [at, issue] of issues.entries()) {
    if (faults.left === 0) return
    if (hasStricter(issue, issues[at + 1])) continue
    const path = pathText(issue.path)
    if (issue.code !== 'unrecognized_keys') add(path || 'body', messageOf(issue))
    else
      for (const key of issue.keys.slice(0, faults.left)) {
        suggestions -= 1
        add(path ? `${path}.${key}` : key, unknownName(key, path || suggestions < 0 ? [] : known))
      }
  }
}

/** Zod checks an integer against the largest safe one and against its own bounds: only the latter are reported. */
function hasStricter(issue: Issue, next: Issue | undefined): boolean {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return false
  return next?.code === issue.code && pathText(next.path) === pathText(issue.path)
}

function unknownName(name: string, known: readonly string[]): string {
  const closest = closestName(name, known)
  return closest ? `is not known here; did you mean ${closest}?` : notKnown
}

function messageOf(issue: Issue): string {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      // 1e400 is valid JSON, but not a number in JavaScript.
      if (typeof issue.input === 'number' && issue.expected === 'number') return 'is too large a number'
      return `must be ${own(typeNames, issue.expected) ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      // The contract defines a message with each pattern.
      return own(formats, issue.format) ?? issue.message
    default:
      return 'is not valid'
  }
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const formats: Record<string, string> = {
  guid: 'must be a UUID',
  datetime: 'must be an ISO 8601 time with its zone, such as 2026-05-01T12:00:00Z',
  date: 'must be a calendar date, such as 2026-05-01',
  safeint: 'must be a whole number',
}

function tooSmall(issue: Extract<Issue, { code: 'too_small' }>): string {
  if (issue.origin === 'string') return 'must not be empty'
  if (issue.origin === 'array')
    return `must have at least ${issue.minimum} ${issue.minimum === 1 ? 'entry' : 'entries'}`
  return issue.inclusive === false
    ? `must be greater than ${issue.minimum}`
    : `must be at least ${issue.minimum}`
}

function tooBig(issue: Extract<Issue, { code: 'too_big' }>): string {
  if (issue.origin === 'string') return `must have at most ${issue.maximum} characters`
  if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`
  return `must be at most ${issue.maximum}`
}
