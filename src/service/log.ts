import { type DestinationStream, pino } from 'pino'
import type { LogEntry } from './service.ts'

/** What a running service tells, as JSON lines. */
export type ServiceLog = {
  request(entry: LogEntry): void
  info(message: string, details?: Readonly<Record<string, unknown>>): void
  warn(message: string, details?: Readonly<Record<string, unknown>>): void
  fault(message: string, error: unknown): void
  /** Writes what is still gathered. */
  flush(): void
}

/** Lines are gathered up to this many characters, and for half a second at most: a write for each would slow every request. */
const gatheredMax = 32_768
const gatheredMs = 500

/** JSON lines on stderr: no key, secret or address is ever in one (decisions 1). */
export function createStderrLog(): ServiceLog {
  const stream = pino.destination({
    dest: 2,
    sync: false,
    minLength: gatheredMax,
    maxWrite: 2 * gatheredMax,
    periodicFlush: gatheredMs,
  })
  return createLog(stream, () => stream.flushSync())
}

export function createLog(stream: DestinationStream, flush: () => void = () => {}): ServiceLog {
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level } }, stream)
  const fault = (message: string, error: unknown): void => {
    log.error({ error: described(error) }, message)
    flush()
  }
  return {
    request({ error, ...entry }) {
      if (error !== undefined) log.error({ ...entry, error: described(error) }, 'request')
      else log.info(entry, 'request')
    },
    info: (message, details = {}) => log.info(details, message),
    warn: (message, details = {}) => log.warn(details, message),
    fault,
    flush,
  }
}

function level(label: string): { level: string } {
  return { level: label }
}

/** Of a fault only what it is called and where it arose: what a driver adds may hold a row. */
function described(error: unknown): Record<string, string | undefined> {
  if (!(error instanceof Error)) return { message: scrub(String(error)) }
  const { name, message, stack } = error
  const cause = error.cause instanceof Error ? scrub(error.cause.message) : undefined
  return { name, message: scrub(message), stack: stack && scrub(stack), cause }
}

/** Keys and webhook secrets have a form of their own (decisions 1, 9). */
function scrub(text: string): string {
  return text.replace(/\b(sk_(?:sandbox|live)_|whsec_)[\w+/=-]+/g, '$1[hidden]')
}
