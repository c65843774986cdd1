import type { Json } from '../../contract/call.ts'
import type { Repeats } from '../../contract/enums.ts'
import type {
  BodyOf,
  LinkedId,
  OperationId,
  Operations,
  PagedId,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '../../contract/operations.ts'
import type { ReadContext, UnitOfWork } from '../../engine/context.ts'
import type { LinkedPage, Listing } from '../../engine/listing.ts'

/** A request after parsing: every value has the type that the operations table gives it. */
type Input<Id extends OperationId> = {
  params: ParamsOf<Id>
  query: QueryOf<Id>
  body: BodyOf<Id>
  repeats: Repeats
}

/** What a handler answers: exact JSON bytes, or for a page-number list the page's results and the total. */
type Result<Id extends OperationId> = Id extends PagedId
  ? Listing<ResultOf<Id>>
  : Id extends LinkedId
    ? LinkedPage<ResultOf<Id>>
    : Json<ResultOf<Id>>

/** A read is given a `ReadContext`, everything else a `UnitOfWork`. */
export type Handler<Id extends OperationId> = (
  context: Operations[Id]['method'] extends 'GET' ? ReadContext : UnitOfWork,
  input: Input<Id>,
) => Promise<Result<Id>>

/** Operations that the service answers itself, since they read no scope. */
type Unscoped = 'getOpenApi'
export type ScopedId = Exclude<OperationId, Unscoped>
/** A GET. */
export type ReadId = {
  [Id in ScopedId]: Operations[Id]['method'] extends 'GET' ? Id : never
}[ScopedId]
/** Everything else. A command that only reads never loads what these need. */
export type WriteId = Exclude<ScopedId, ReadId>
