import type * as z from 'zod/mini'
import type { ObjectSchema } from '../../contract/operation.ts'
import { yieldToEventLoop } from '../../engine/yield-to-event-loop.ts'
import { addIssues, type Faults, takeOut } from './faults.ts'

/** Issues carry what was found: a missing value reads differently from a wrong one. */
export const report = { reportInput: true }
/** Entries of a list that are looked at at once. */
const pieceLength = 250

type List = { name: string; entries: readonly unknown[] }

/**
 * A body as its schema has it, or undefined where `faults` were found: `value` then is what is left without them. A long list is looked at piece by piece: a schema
 * would go through all of it however many faults it has, and cannot hold a hundred thousand; and others are let in between.
 */
export async function parseFields(schema: ObjectSchema, value: unknown, faults: Faults): Promise<unknown> {
  const known = Object.keys(schema._zod.def.shape)
  const list = longList(schema, value)
  if (!list) return parsePiece(schema, value, value, faults, known, 0)
  const found: unknown[] = []
  let whole: object = {}
  for (let from = 0; from < list.entries.length && faults.left > 0; from += pieceLength) {
    await yieldToEventLoop()
    const piece = { ...(value as object), [list.name]: list.entries.slice(from, from + pieceLength) }
    const parsed = parsePiece(schema, value, piece, faults, known, from) as
      | Record<string, unknown[]>
      | undefined
    if (!parsed) continue
    whole = parsed
    for (const entry of parsed[list.name] ?? []) found.push(entry)
  }
  return Object.keys(faults.fields).length > 0 ? undefined : { ...whole, [list.name]: found }
}

/** The list that is too long to be looked at whole; not one that is too long altogether, which its schema refuses at once. */
function longList(schema: ObjectSchema, value: unknown): List | undefined {
  for (const [name, field] of Object.entries(schema._zod.def.shape)) {
    const entries = (value as Record<string, unknown>)[name]
    if (!Array.isArray(entries) || entries.length <= pieceLength) continue
    if (entries.length <= lengthMax(field)) return { name, entries }
  }
  return undefined
}

/** 0 where it is no list, or one of any length. */
function lengthMax({ _zod }: z.core.$ZodType): number {
  const { type, checks = [] } = _zod.def
  const max = checks.find((check) => check._zod.def.check === 'max_length')
  return type === 'array' && max ? (max._zod.def as z.core.$ZodCheckMaxLengthDef).maximum : 0
}

function parsePiece(
  schema: ObjectSchema,
  whole: unknown,
  piece: unknown,
  faults: Faults,
  known: readonly string[],
  from: number,
): unknown {
  const parsed = schema.safeParse(piece, report)
  if (parsed.success) return parsed.data
  const issues = from === 0 ? parsed.error.issues : parsed.error.issues.map((issue) => movedBy(from, issue))
  addIssues(faults, issues, known)
  for (const { code, path } of issues) if (code !== 'unrecognized_keys') takeOut(whole, path)
  return undefined
}

/** An issue of a later piece, with its place in the whole list. */
function movedBy(from: number, issue: z.core.$ZodIssue): z.core.$ZodIssue {
  const [name, index, ...rest] = issue.path
  if (name === undefined || typeof index !== 'number') return issue
  return { ...issue, path: [name, index + from, ...rest] }
}
