import type * as z from 'zod/mini'
import type { BodyInput, FormInput, OperationId, Operations, ResultOf } from '../../operations.ts'

/** What the document says of a schema beyond its form. */
export type Told = {
  schema: z.ZodMiniType
  description: string
  /** Of an object's fields. */
  fields: Readonly<Record<string, string>>
  examples: readonly unknown[]
}

type Fields<S extends z.ZodMiniType> = { readonly [Name in keyof z.output<S>]-?: string }

/** Of an object: it does not compile while a field is not described. */
export function object<S extends z.ZodMiniType>(
  schema: S,
  description: string,
  fields: Fields<S>,
  ...examples: [z.input<S>, ...z.input<S>[]]
): Told {
  return { schema, description, fields, examples }
}

/** Of a vocabulary: it does not compile while a word is not described. */
export function words<S extends z.ZodMiniType<string, string>>(
  schema: S,
  description: string,
  meanings: Readonly<Record<z.input<S>, string>>,
): Told {
  const list = Object.entries(meanings).map(([word, meaning]) => `- \`${word}\`: ${meaning}`)
  return {
    schema,
    description: `${description}\n\n${list.join('\n')}`,
    fields: {},
    examples: Object.keys(meanings).slice(0, 1),
  }
}

/** Of what is one of several. */
export function oneOf<S extends z.ZodMiniType>(
  schema: S,
  description: string,
  ...examples: [z.input<S>, ...z.input<S>[]]
): Told {
  return { schema, description, fields: {}, examples }
}

/** A parameter's meaning, and an example of it. */
export type ToldParameter = readonly [description: string, example: string | number]

/** Where an answer leads: the operation, what of it to send where, and why. */
export type ToldLink = {
  to: OperationId
  params: Readonly<Record<string, string>>
  description: string
}

export function link(to: OperationId, params: ToldLink['params'], description: string): ToldLink {
  return { to, params, description }
}

type ToldConflict = { message: string; extra: Record<string, unknown> }

/** Examples by what they show. */
type Named<T> = Readonly<Record<string, T>>

type Part<K extends string, Asked, T> = [Asked] extends [undefined] ? unknown : { [key in K]: T }

type FormTexts<Id extends OperationId> = FormInput<Id> extends Record<string, never> ? unknown : FormInput<Id>

/** What the document adds to an operation's row in the table. An incomplete one does not compile. */
type ToldOperation<Id extends OperationId> = {
  description: string
  links?: readonly ToldLink[]
  /** The answer to a repeated request, if it differs from `answer`. */
  repeated?: ResultOf<Id>
} & Part<'requests', BodyInput<Id>, Named<BodyInput<Id>>> &
  Part<'requests', FormInput<Id>, Named<FormTexts<Id> & { file: string }>> &
  Part<'answer', ResultOf<Id>, ResultOf<Id>> &
  (409 extends Operations[Id]['errors'][number] ? { conflict: ToldConflict } : unknown)

/** The same, for whoever goes through all of them. */
export type AnyToldOperation = {
  description: string
  links?: readonly ToldLink[]
  requests?: Named<unknown>
  answer?: unknown
  conflict?: ToldConflict
  repeated?: unknown
}

export type ToldOperations<Id extends OperationId> = { readonly [Each in Id]: ToldOperation<Each> }
