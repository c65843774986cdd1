/** Where a request stands in its caller's trace (W3C Trace Context), as logs name it. */
export type Trace = { trace_id: string; span_id: string }

/** A `traceparent` as it is kept: without what later versions of it may add. */
export function keptTrace(sent: unknown): string | undefined {
  return traceOf(sent) && String(sent).slice(0, 55)
}

/** What a `traceparent` says; undefined where it is none, which is no reason to refuse a request. */
export function traceOf(sent: unknown): Trace | undefined {
  if (typeof sent !== 'string' || /^ff|^00.{53}.|^..-0{32}|-0{16}-/.test(sent)) return undefined
  const [, trace_id, span_id] = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(?:-|$)/.exec(sent) ?? []
  return trace_id === undefined || span_id === undefined ? undefined : { trace_id, span_id }
}
