import type * as z from 'zod/mini'
import type { Filters, Operation } from './operation.ts'
import { operations } from './operations/table.ts'

export { operations }

export type Operations = typeof operations
export type OperationId = keyof Operations

type Made<F> = F extends () => infer S ? S : never
type Output<F> = Made<F> extends z.ZodMiniType ? z.output<Made<F>> : undefined
type Input<F> = Made<F> extends z.ZodMiniType ? z.input<Made<F>> : undefined
type Field<Id extends OperationId, K extends string> = K extends keyof Operations[Id]
  ? Operations[Id][K]
  : undefined

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

export type ParamsOf<Id extends OperationId> = { [Name in NamesIn<Operations[Id]['path']>]: string }
export type QueryOf<Id extends OperationId> = Output<Field<Id, 'query'>>
export type BodyOf<Id extends OperationId> = Output<Field<Id, 'body'>>
export type FormOf<Id extends OperationId> = Output<Field<Id, 'form'>>
export type FiltersOf<Id extends OperationId> = Operations[Id] extends { filters: infer F extends Filters }
  ? { readonly [Name in keyof F]?: z.output<ReturnType<F[Name]['schema']>> }
  : never
export type QueryInput<Id extends OperationId> = Input<Field<Id, 'query'>>
export type BodyInput<Id extends OperationId> = Input<Field<Id, 'body'>>
export type FormInput<Id extends OperationId> = Input<Field<Id, 'form'>>
export type ResultOf<Id extends OperationId> = Output<Field<Id, 'response'>>
export type PagedId = {
  [Id in OperationId]: Operations[Id] extends { paged: true } ? Id : never
}[OperationId]

export type LinkedId = {
  [Id in OperationId]: Operations[Id] extends { linked: true } ? Id : never
}[OperationId]

export function operation(id: OperationId): Operation {
  return operations[id]
}

export function pathOf(id: OperationId, params: Readonly<Record<string, string>>): string {
  return operations[id].path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params[name] ?? '').toWellFormed()),
  )
}
