/** W3C Trace Context. */
export type Trace = { trace_id: string; span_id: string }

/** Drops fields that later versions of `traceparent` may add. */
export function keptTrace(sent: unknown): string | undefined {
  return traceOf(sent) && String(sent).slice(0, 55)
}

/** Undefined for an invalid `traceparent`, which does not reject a request. */
export function traceOf(sent: unknown): Trace | undefined {
  if (typeof sent !== 'string') return undefined
  const form =
    /^(?!ff|00.{53}.)[\da-f]{2}-(?!0{32})(?<trace_id>[\da-f]{32})-(?!0{16})(?<span_id>[\da-f]{16})-[\da-f]{2}(?:-|$)/
  return form.exec(sent)?.groups as Trace | undefined
}
