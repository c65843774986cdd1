/** The limits of the wire, each once; schemas, CSV rules and the CLI use the same constants (part 8, decisions 5). */

export const mebibyte = 1024 * 1024
export const dayMs = 86_400_000

/** Days after `expected_arrival_end` until a manifest closes by itself (decisions 6); `serve --close-grace-days` sets it. */
export const closeGraceDaysDefault = 7

/** Entries of one page of any list (part 8). */
export const pageSizeDefault = 25
export const pageSizeMax = 250

/** Lines of one page of a manifest, and of its report. */
export const linesPageDefault = 1000
export const linesPageMax = 5000

/** Characters of a product's or item's name, and of its set. */
export const nameMax = 500
/** Characters of `reference`, `external_ref`, `upc`, `grader`, `cert_number` and other short codes. */
export const refMax = 255
export const uriMax = 2048
/** Characters of each field of a shipping address. */
export const addressFieldMax = 200
/** Characters of `special_instructions`. */
export const instructionsMax = 1000

/** Lines of one manifest: as many as a CSV file may have rows. */
export const manifestLinesMax = 50_000
/** Units of one manifest line; the minimum is 1 (part 8). */
export const quantityMax = 1_000_000
/** Units that one simulated receipt of a manifest brings. */
export const receivedUnitsMax = 50_000
/** Items of one fulfillment or transfer. */
export const itemsPerOrderMax = 1000

/** Lines of one order (decisions 13). */
export const orderLinesMax = 100

/** Bytes of an uploaded CSV file: 20 MiB. */
export const csvFileBytesMax = 20 * mebibyte
/** Data rows of an uploaded CSV file. */
export const csvRowsMax = 50_000
/** Bytes of one field of a CSV file: 32 KiB. */
export const csvFieldBytesMax = 32 * 1024
/** Columns of a CSV file: no kind has a tenth of them, and the faults of more would be counted by the million. */
export const csvColumnsMax = 1000

/** Characters of an `Idempotency-Key` (part 8). */
export const idempotencyKeyMax = 255
/** Days for which the warehouse does not receive a file of arrivals with the same content unless a delivery is named (decisions 13). */
export const arrivalsKnownDays = 7
/** Days for which an equal order without a reference is a repeat (decisions 13); `serve --repeats-days` sets it. */
export const repeatsDaysDefault = 400
/** Milliseconds for which a replaced API key still works, at most. */
export const keyGraceMaxMs = 7 * dayMs
/** Stored results of one partner; `serve --stored-results-max` sets it. */
export const storedResultsDefault = 1_000_000
/** Milliseconds for which the result of an `Idempotency-Key` is replayed (decisions 4). */
export const replayedMs = 7 * dayMs
/** Bytes of a JSON body: 20 MiB. */
export const jsonBodyBytesMax = 20 * mebibyte
/** Objects and arrays within one another in a JSON body. */
export const jsonDepthMax = 32
/** Different names in a JSON body, and values: no operation wants a tenth of them, and more would take seconds to build. */
export const jsonNamesMax = 500
export const jsonValuesMax = 1_000_000
/** Faults that one 400 names (decisions 3). */
export const faultsMax = 100
/** Seconds of `Prefer: wait` (decisions 9). */
export const waitSecondsMax = 30
/** Seconds by which one request may move a sandbox's clock: ten years, each counted as a leap year (decisions 11). */
export const clockSecondsMax = 10 * 366 * 86_400
/** Items of one call that simulates arrivals, and units of one line that it lets arrive. */
export const arrivalsMax = 10_000
/** Characters of a condition flag or an issue's code, and flags of one arrival, that a sandbox is told. */
export const flagMax = 100
export const flagsMax = 20
/** Seconds for which a replaced webhook secret signs beside the new one (decisions 9). */
export const graceSecondsDefault = 86_400
export const graceSecondsMax = 7 * 86_400
/** Webhook subscriptions of one partner in one environment: each is looked after whenever there is an event. */
export const subscriptionsMax = 100
/**
 * Stretches of the log that wait to be sent to one webhook subscription: each change of what it is sent, and each replay, may begin
 * another.
 */
export const stretchesMax = 50
/** References of orders that one call may ask for. */
export const refsAtOnceMax = 100
