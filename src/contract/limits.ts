/** Wire limits, each defined once for schemas, CSV rules and the CLI (part 8, decisions 5). */

export const mebibyte = 1024 * 1024
export const dayMs = 86_400_000

/** Days after `expected_arrival_end` until a manifest closes (decisions 6); `serve --close-grace-days` sets it. */
export const closeGraceDaysDefault = 7

export const pageSizeDefault = 25
export const pageSizeMax = 250

export const linesPageDefault = 1000
export const linesPageMax = 5000

export const nameMax = 500
/** Also for `external_ref`, `upc`, `grader`, `cert_number` and other short codes. */
export const refMax = 255
export const uriMax = 2048
export const addressFieldMax = 200
export const instructionsMax = 1000

export const manifestLinesMax = 50_000
export const quantityMax = 1_000_000
export const receivedUnitsMax = 50_000
export const itemsPerOrderMax = 1000

export const orderLinesMax = 100

export const csvFileBytesMax = 20 * mebibyte
export const csvRowsMax = 50_000
export const csvFieldBytesMax = 32 * 1024
/** No file needs a tenth of this number, and more columns could cause millions of errors. */
export const csvColumnsMax = 1000

export const idempotencyKeyMax = 255
/** Days for which the warehouse rejects arrivals with the same content, unless a delivery is named (decisions 13). */
export const arrivalsKnownDays = 7
/** Days for which an equal order without a reference is a repeat (decisions 13); `serve --repeats-days` sets it. */
export const repeatsDaysDefault = 400
/** Maximum time that a replaced API key may still work. */
export const keyGraceMaxMs = 7 * dayMs
/** Per partner; `serve --stored-results-max` sets it. */
export const storedResultsDefault = 1_000_000
/** Time for which the result of an `Idempotency-Key` is replayed (decisions 4). */
export const replayedMs = 7 * dayMs
export const jsonBodyBytesMax = 20 * mebibyte
export const jsonDepthMax = 32
/** No operation needs a tenth of these names and values, and more would take seconds to build. */
export const jsonNamesMax = 500
export const jsonValuesMax = 1_000_000
export const faultsMax = 100
export const waitSecondsMax = 30
/** Per request that moves a sandbox's clock: ten years, each counted as a leap year (decisions 11). */
export const clockSecondsMax = 10 * 366 * 86_400
export const arrivalsMax = 10_000
/** Per simulated arrival: characters of a flag, and number of flags. */
export const flagMax = 100
export const flagsMax = 20
/** Time for which a replaced webhook secret still signs (decisions 9). */
export const graceSecondsDefault = 86_400
export const graceSecondsMax = 7 * 86_400
/** Before each attempt of a delivery, counted from the end of the one before (decisions 9). */
export const attemptDelaysSeconds: readonly number[] = [
  0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
]
/** From resolving the name to the end of the response (decisions 9). */
export const attemptSecondsMax = 15
/** Time without a successful attempt after which a subscription is deactivated (decisions 9). */
export const failingDaysMax = 5
/** Clients start attempts for this long, unless they are told otherwise. */
export const maxWaitMinutesDefault = 2
/** Assistants give up on a call after 60 s. */
export const assistantSecondsMax = 45
/** Receivers reject older signatures (Standard Webhooks 1.0). */
export const signatureMinutesMax = 5
/** Per partner and environment: every event costs work for each subscription. */
export const subscriptionsMax = 100
/** Ranges of the log that one subscription has yet to receive: each change and each replay may add one. */
export const deliveryRangesMax = 50
export const refsAtOnceMax = 100
export const certsAtOnceMax = 500
/** Items, and open lines, found for one certificate. */
export const slabsPerCertMax = 20
