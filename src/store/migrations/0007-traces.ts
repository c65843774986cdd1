/** Migration 7: the trace of the request that wrote an event, to log with its deliveries. */
export const traces = `
-- The W3C traceparent; null where the request had none.
alter table events add column trace text;
`
