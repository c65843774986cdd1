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
  kind?: 'text' | 'number' | 'list' | 'date'
  isRequired?: true
}

export type BodyOptions = IdempotentOptions & Readonly<Record<string, unknown>> & { idempotencyKey?: string }

export function withBodyFlags(command: Command, flags: readonly Flag[]): Command {
  command.argument('[file]', 'JSON file; - for stdin')
  for (const flag of flags) {
    const { about, kind = 'text' } = flag
    const name = nameOf(flag)
    if (kind === 'list') command.option(`--${name} <${name}>`, about, collect)
    else command.option(`${flagNames(name)} <${kind === 'number' ? 'n' : 'text'}>`, about)
  }
  return idempotent(command)
}

/** Throws `usage` naming the flags that are missing. */
export async function bodyFrom(
  io: Io,
  file: string | undefined,
  flags: readonly Flag[],
  options: BodyOptions,
): Promise<Record<string, unknown>> {
  const body = file === undefined ? {} : await readJsonInput(io, file)
  for (const flag of flags) {
    const given = options[camelCase(nameOf(flag))]
    if (given !== undefined) setAt(body, flag.path, typedValue(flag, given))
  }
  const missing = flags.filter(({ isRequired, path }) => isRequired && valueAt(body, path) === undefined)
  if (missing.length > 0) {
    throw usage(
      `missing: ${missing.map((flag) => `--${nameOf(flag)}`).join(', ')}.`,
      'Give them, or a JSON file.',
    )
  }
  return body
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

function camelCase(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
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

/** For arrivals, at the warehouse and in the sandbox. */
const itemFlags = {
  sku: '--sku',
  quantity: '--quantity',
  grader: '--grader',
  grade: '--grade',
  certNumber: '--cert-number',
  name: '--name',
  set: '--set',
  cardNumber: '--card-number',
  category: '--category',
  flag: '--flag',
} as const

type ItemOption = keyof typeof itemFlags

export function rejectItemFlags(options: { readonly [name in ItemOption]?: unknown }): void {
  const given = (Object.keys(itemFlags) as ItemOption[]).filter((name) => options[name] !== undefined)
  if (given.length === 0) return
  const names = given.map((name) => itemFlags[name]).join(', ')
  throw usage(`${names} cannot be used with a file.`, 'Put the values of an item into the file.')
}
