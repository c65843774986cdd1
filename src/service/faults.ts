import type * as z from 'zod/mini'
import { faultsMax } from '../contract/limits.ts'
import { closestName } from '../domain/closest-name.ts'
import { type FieldErrors, invalid, type Refusal } from '../domain/refusal.ts'

type Issue = z.core.$ZodIssue

/** One refusal that names every fault found, at most `faultsMax` (decisions 3). `known` serves suggestions. */
export function refusalOf(issues: readonly Issue[], known: readonly string[] = []): Refusal {
  const fields = noFaults()
  for (const issue of issues.slice(0, faultsMax)) {
    for (const [path, message] of faultsOf(issue, known)) addFault(fields, path, message)
  }
  return invalid(fields)
}

/** To gather faults in: a field may be called anything, `__proto__` too. */
export function noFaults(): FieldErrors {
  return Object.create(null)
}

export function addFault(fields: FieldErrors, path: string, message: string): void {
  const messages = fields[path]
  if (messages) messages.push(message)
  else fields[path] = [message]
}

function faultsOf(issue: Issue, known: readonly string[]): Array<[string, string]> {
  const path = pathText(issue.path)
  if (issue.code !== 'unrecognized_keys') return [[path || 'body', messageOf(issue)]]
  return issue.keys.map((key) => [path ? `${path}.${key}` : key, unknownName(key, path ? [] : known)])
}

/** `lines[3].sku` */
function pathText(path: readonly PropertyKey[]): string {
  let text = ''
  for (const part of path)
    text += typeof part === 'number' ? `[${part}]` : text ? `.${String(part)}` : String(part)
  return text
}

function unknownName(name: string, known: readonly string[]): string {
  const closest = closestName(name, known)
  return closest ? `is not known here; did you mean ${closest}?` : 'is not known here; leave it out'
}

function messageOf(issue: Issue): string {
  if (issue.input === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value'))
    return 'is required'
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_format':
      return formats[issue.format] ?? 'has the wrong form'
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
  uuid: 'must be a UUID',
  datetime: 'must be an ISO 8601 time with its zone, such as 2026-05-01T12:00:00Z',
  date: 'must be a calendar date, such as 2026-05-01',
  url: 'must be an absolute URL',
  regex: 'must not be blank',
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
