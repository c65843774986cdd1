import type { BodyInput, FormInput, OperationId, Operations, ResultOf } from '../../operations.ts'

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

/** What the document says of an operation beyond its row in the table: it does not compile while something is missing. */
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
