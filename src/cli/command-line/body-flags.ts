import type { Command } from 'commander'
import { own } from '../../contract/own.ts'
import { quoted } from '../../domain/csv/csv-header.ts'
import { readNumber } from '../../domain/number-text.ts'
import { isCalendarDate } from '../../domain/utc-time.ts'
import { usage } from '../base/cli-error.ts'
import { readJsonInput } from '../base/input-file.ts'
import type { Io } from '../base/io.ts'
import { type IdempotentOptions, idempotent } from '../connection/idempotency.ts'
import { valueAt } from '../output/columns.ts'

const shorterNames = { '--cert-number': '--cert', '--manifest-id': '--manifest' }

export function flagNames(field: string): string {
  const name = `--${field.replaceAll('_', '-')}`
  const short = own<string>(shorterNames, name)
  return short === undefined ? name : `${short}, ${name}`
}

/** `path` may be nested, as in `weight.unit`. */
export type Flag = {
  path: string
  about: string
  /** Only if it differs from the path's last name in kebab-case. */
  flag?: string
  /** `whole`: a text that the command reads as a whole number. */
  kind?: 'text' | 'number' | 'whole' | 'list' | 'date'
  isRequired?: true
}

export type BodyOptions = IdempotentOptions & Readonly<Record<string, unknown>> & { idempotencyKey?: string }

export function withBodyFlags(command: Command, flags: readonly Flag[]): Command {
  return idempotent(withFlags(command.argument('[file]', 'JSON file; - for stdin'), flags))
}

export function withFlags(command: Command, flags: readonly Flag[]): Command {
  for (const flag of flags) {
    const { about, kind = 'text' } = flag
    const name = nameOf(flag)
    const value = kind === 'number' || kind === 'whole' ? 'n' : 'text'
    if (kind === 'list') command.option(`--${name} <${name}>`, about, collect)
    else command.option(`${flagNames(name)} <${value}>`, about)
  }
  return command
}

/** Throws `usage` naming the flags that are missing. */
export async function bodyFrom(
  io: Io,
  file: string | undefined,
  flags: readonly Flag[],
  options: BodyOptions,
): Promise<Record<string, unknown>> {
  const body = bodyOf(flags, options, file === undefined ? {} : await readJsonInput(io, file))
  const missing = flags.filter(({ isRequired, path }) => isRequired && valueAt(body, path) === undefined)
  if (missing.length > 0) {
    throw usage(
      `missing: ${missing.map((flag) => `--${nameOf(flag)}`).join(', ')}.`,
      'Give them, or a JSON file.',
    )
  }
  return body
}

export function bodyOf(
  flags: readonly Flag[],
  options: GivenFlags,
  body: Record<string, unknown> = {},
): Record<string, unknown> {
  for (const flag of givenOf(flags, options))
    setAt(body, flag.path, typedValue(flag, options[camelCase(nameOf(flag))]))
  return body
}

type GivenFlags = Readonly<Record<string, unknown>>

function givenOf(flags: readonly Flag[], options: GivenFlags): Flag[] {
  return flags.filter((flag) => options[camelCase(nameOf(flag))] !== undefined)
}

function nameOf({ flag, path }: Flag): string {
  return flag ?? (path.split('.').at(-1) ?? path).replaceAll('_', '-')
}

function typedValue(flag: Flag, given: unknown): unknown {
  if (flag.kind === 'date' && !isCalendarDate(String(given)))
    throw usage(`--${nameOf(flag)}: "${given}" is not a date.`, 'Write it as 2026-12-24.')
  if (flag.kind !== 'number') return given
  const { value, fault } = readNumber(String(given).trim())
  if (fault !== undefined) throw usage(`--${nameOf(flag)}: ${quoted(String(given))} ${fault}.`)
  // A number too large to represent would be sent as null.
  if (!Number.isFinite(value))
    throw usage(`--${nameOf(flag)}: ${quoted(String(given))} must be a number greater than 0.`)
  return value
}

/** As commander passes the value of a flag, or of a field's flag. */
export function camelCase(name: string): string {
  return name.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** Replaces a value on the path that is not an object. */
export function setAt(body: Record<string, unknown>, path: string, value: unknown): void {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    body[first] = value
    return
  }
  const inner = body[first]
  const below = typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {}
  body[first] = below
  setAt(below, rest.join('.'), value)
}

export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

/** For an arrival, at the warehouse and in the sandbox. */
export const arrivalFlags: readonly Flag[] = [
  { path: 'sku', about: 'SKU of a product' },
  { path: 'quantity', kind: 'whole', about: 'Number of units of the product' },
  { path: 'grader', about: 'Grading company of a slab, as in PSA' },
  { path: 'grade', about: 'Grade of the slab' },
  { path: 'cert_number', about: 'Certificate number of the slab' },
  { path: 'name', about: 'Name of the slab (default: from its manifest line)' },
  { path: 'set', about: 'Set of the card' },
  { path: 'card_number', about: 'Number within the set' },
  { path: 'category', about: 'Category, as in pokemon or baseball' },
  { path: 'condition_flags', flag: 'flag', kind: 'list', about: 'Condition flag; repeatable' },
]

export function rejectItemFlags(options: GivenFlags): void {
  const names = givenOf(arrivalFlags, options).map((flag) => `--${nameOf(flag)}`)
  if (names.length > 0)
    throw usage(`${names.join(', ')} cannot be used with a file.`, 'Put the values of an item into the file.')
}
