import { innermost, type Schema } from '../../contract/operation.ts'
import { type OperationId, operation } from '../../contract/operations.ts'

export type QueryField = {
  name: string
  kind: 'text' | 'number' | 'time' | 'uuid' | 'choice'
  choices: readonly string[]
  fallback: string | undefined
}

type Def = {
  type: string
  format?: string
  element?: Schema
  shape?: Record<string, Schema>
  options?: Schema[]
  entries?: Record<string, string>
}

export function queryFields(id: OperationId): QueryField[] {
  const shape = (operation(id).query?.()._zod.def.shape ?? {}) as Record<string, Schema>
  return Object.entries(shape).map(([name, schema]) => {
    const def = defOf(schema)
    const choices = Object.values(def.entries ?? {})
    const { defaultValue } = schema._zod.def as { defaultValue?: unknown }
    const fallback = defaultValue === undefined ? undefined : String(defaultValue)
    return { name, kind: kindOf(def), choices, fallback }
  })
}

declare const checked: unique symbol

/** A path that some row has: from a schema, or checked by `fieldsOf` (output/columns.ts). */
export type FieldName = string & { readonly [checked]: true }

/** Nested fields as `item.name`. */
export function resourceFields(id: OperationId): FieldName[] {
  const schema = operation(id).response?.()
  return schema === undefined ? [] : ([...new Set(pathsOf(resourceOf(schema), ''))] as FieldName[])
}

export function lineFields(id: OperationId): FieldName[] {
  const schema = operation(id).response?.()
  const listed = schema && defOf(schema).shape?.lines
  const element = listed && defOf(listed).element
  return element === undefined ? [] : (pathsOf(element, '') as FieldName[])
}

export function schemaAt(schema: Schema, path: string): Schema | undefined {
  let found: Schema | undefined = schema
  for (const name of path.split('.')) found = found && defOf(found).shape?.[name]
  return found
}

/** For a cursor list, the schema of its entries. */
function resourceOf(schema: Schema): Schema {
  const list = defOf(schema).shape?.results
  return (list && defOf(list).element) ?? schema
}

function pathsOf(schema: Schema, prefix: string): string[] {
  const def = defOf(schema)
  if (def.options) return def.options.flatMap((option) => pathsOf(option, prefix))
  return Object.entries(def.shape ?? {}).flatMap(([name, part]) => [
    `${prefix}${name}`,
    ...pathsOf(part, `${prefix}${name}.`),
  ])
}

function kindOf(def: Def): QueryField['kind'] {
  if (def.entries) return 'choice'
  if (def.type === 'number' || def.type === 'int') return 'number'
  if (def.format === 'datetime') return 'time'
  return def.format === 'guid' ? 'uuid' : 'text'
}

function defOf(schema: Schema): Def {
  return innermost(schema)._zod.def as Def
}
