import { oncePer } from './once.ts'
import type { Operation, Schema } from './operation.ts'
import { type OperationId, operation } from './operations.ts'

type Kind = 'string' | 'number' | 'boolean'

/** Kinds of JSON alone: formats and vocabularies may grow within v1 (part 9). `?`: may be null or missing. */
export type Shape =
  | Kind
  | `${Kind}?`
  | 'any'
  | { keys: Readonly<Record<string, Shape>> }
  | { values: Shape }
  | { each: Shape }
  | { maybe: Shape }

/** Undefined if the response has no body. The build replaces this with its results (scripts/replaced.mjs). */
export function answerShape(id: OperationId): Shape | undefined {
  return shapeOfAnswer(operation(id))
}

const shapeOfAnswer = oncePer(({ response, paged }: Operation): Shape | undefined => {
  const shape = response && shapeOf(response())
  return shape && paged ? { keys: { results: { each: shape } } } : shape
})

type Def = {
  type: string
  innerType: Schema
  element: Schema
  valueType: Schema
  shape: Readonly<Record<string, Schema>>
  options: readonly Schema[]
  values: readonly unknown[]
}

/** `isPart`: the object has no identity of its own. */
function shapeOf(schema: Schema, isPart = false): Shape {
  const { type, innerType, element, valueType, shape, options, values } = schema._zod.def as unknown as Def
  switch (type) {
    case 'optional':
    case 'nullable':
      return optional(shapeOf(innerType, isPart))
    case 'array':
      return { each: shapeOf(element) }
    case 'record':
      return { values: shapeOf(valueType) }
    case 'object':
      return {
        keys: Object.fromEntries(Object.entries(shape).map((entry, at) => keyOf(entry, at === 0 || isPart))),
      }
    case 'union':
      return sharedBy(options.map((one) => shapeOf(one, isPart)))
    case 'literal':
      return typeof values[0] as Shape
    case 'string':
    case 'enum':
      return 'string'
    case 'number':
    case 'boolean':
      return type
    default:
      return 'any'
  }
}

/** The first key is the identity. Other single values of such an object may be missing: services of earlier versions lack some. */
function keyOf([key, schema]: [string, Schema], isIdentity: boolean): [string, Shape] {
  const shape = shapeOf(schema, true)
  return [key, typeof shape === 'string' && !isIdentity ? optional(shape) : shape]
}

function optional(shape: Shape): Shape {
  if (typeof shape !== 'string') return { maybe: shape }
  return shape === 'any' || isOptional(shape) ? shape : `${shape}?`
}

function isOptional(shape: Kind | `${Kind}?`): shape is `${Kind}?` {
  return shape.endsWith('?')
}

/** The keys that all types of a union share; a type added later has them too. */
function sharedBy([first = 'any', ...others]: readonly Shape[]): Shape {
  if (others.every((other) => JSON.stringify(other) === JSON.stringify(first))) return first
  const all = [first, ...others].flatMap((one) =>
    typeof one === 'object' && 'keys' in one ? [one.keys] : [],
  )
  if (all.length <= others.length) return 'any'
  const names = Object.keys(all[0]!).filter((name) => all.every((keys) => Object.hasOwn(keys, name)))
  return { keys: Object.fromEntries(names.map((name) => [name, sharedBy(all.map((keys) => keys[name]!))])) }
}
