import type * as z from 'zod/mini'
import type { BodyInput, FormInput, OperationId, Operations, ResultOf } from '../../operations.ts'

export type SchemaProse = {
  schema: z.ZodMiniType
  description: string
  fields: Readonly<Record<string, string>>
  examples: readonly unknown[]
}

type Fields<S extends z.ZodMiniType> = { readonly [Name in keyof z.output<S>]-?: string }

/** Describes an object. Does not compile if a field has no description. */
export function object<S extends z.ZodMiniType>(
  schema: S,
  description: string,
  fields: Fields<S>,
  ...examples: [z.input<S>, ...z.input<S>[]]
): SchemaProse {
  return { schema, description, fields, examples }
}

/** Describes a vocabulary. Does not compile if a word has no meaning. */
export function words<S extends z.ZodMiniType<string, string>>(
  schema: S,
  description: string,
  meanings: Readonly<Record<z.input<S>, string>>,
): SchemaProse {
  const list = Object.entries(meanings).map(([word, meaning]) => `- \`${word}\`: ${meaning}`)
  return {
    schema,
    description: `${description}\n\n${list.join('\n')}`,
    fields: {},
    examples: Object.keys(meanings).slice(0, 1),
  }
}

export function oneOf<S extends z.ZodMiniType>(
  schema: S,
  description: string,
  ...examples: [z.input<S>, ...z.input<S>[]]
): SchemaProse {
  return { schema, description, fields: {}, examples }
}

export type ParameterProse = readonly [description: string, example: string | number]

/** A link from a response to an operation. `params`: the operation's parameters, from fields of the response. */
export type LinkProse = {
  to: OperationId
  params: Readonly<Record<string, string>>
  description: string
}

export function link(to: OperationId, params: LinkProse['params'], description: string): LinkProse {
  return { to, params, description }
}

type ConflictExample = { message: string; extra: Record<string, unknown> }

type Named<T> = Readonly<Record<string, T>>

type Part<K extends string, Asked, T> = [Asked] extends [undefined] ? unknown : { [key in K]: T }

type FormTexts<Id extends OperationId> = FormInput<Id> extends Record<string, never> ? unknown : FormInput<Id>

/** Prose and examples that the document adds to the table of operations. Does not compile if incomplete. */
type DescribedOperation<Id extends OperationId> = {
  description: string
  links?: readonly LinkProse[]
  /** The response to a repeated request, if it differs from `answer`. */
  repeated?: ResultOf<Id>
} & Part<'requests', BodyInput<Id>, Named<BodyInput<Id>>> &
  Part<'requests', FormInput<Id>, Named<FormTexts<Id> & { file: string }>> &
  Part<'answer', ResultOf<Id>, ResultOf<Id>> &
  (Operations[Id] extends { conflicts: true } ? { conflict: ConflictExample } : unknown)

export type AnyDescribedOperation = {
  description: string
  links?: readonly LinkProse[]
  requests?: Named<unknown>
  answer?: unknown
  conflict?: ConflictExample
  repeated?: unknown
}

export type DescribedOperations<Id extends OperationId> = { readonly [Each in Id]: DescribedOperation<Each> }
