import type { Json } from '../contract/call.ts'
import type { Repeats } from '../contract/enums.ts'
import type {
  BodyOf,
  LinkedId,
  OperationId,
  Operations,
  PagedId,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '../contract/operations.ts'
import type { ReadContext, Rest, UnitOfWork } from './context.ts'
import type { LinkedPage, Listing } from './listing.ts'

type Input<Id extends OperationId> = {
  params: ParamsOf<Id>
  query: QueryOf<Id>
  body: BodyOf<Id>
  repeats: Repeats
}

/** Exact JSON, or for page-number lists the page's results and the total. */
type Result<Id extends OperationId> = Id extends PagedId
  ? Listing<ResultOf<Id>>
  : Id extends LinkedId
    ? LinkedPage<ResultOf<Id>>
    : Json<ResultOf<Id>>

/** `Part`: what of the request it reads; only code that calls it directly needs to know. */
export type Handler<Id extends OperationId, Part extends keyof Input<Id> = keyof Input<Id>> = (
  context: Operations[Id]['method'] extends 'GET' ? ReadContext : UnitOfWork,
  input: Pick<Input<Id>, Part>,
) => Promise<Result<Id>>

/** A write whose first queries are sent with the claim of its scope. */
export type Opener<Id extends WriteId, Part extends keyof Input<Id> = keyof Input<Id>> = (
  view: ReadContext,
  input: Pick<Input<Id>, Part>,
) => Promise<Rest<Json<ResultOf<Id>>>>

type Unscoped = 'getOpenApi'
export type ScopedId = Exclude<OperationId, Unscoped>
export type ReadId = {
  [Id in ScopedId]: Operations[Id]['method'] extends 'GET' ? Id : never
}[ScopedId]
/** Kept apart from reads, so that a command that only reads never loads what writes need. */
export type WriteId = Exclude<ScopedId, ReadId>
