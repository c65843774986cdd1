import { type DestinationStream, pino } from 'pino'
import { StoreError } from '../../store/database.ts'
import type { LogEntry } from '../context.ts'
import { createLogSink } from './log-sink.ts'
import { scrub } from './scrub.ts'

/** What a running service tells, as JSON lines. */
export type ServiceLog = {
  request(entry: LogEntry): void
  info(message: string, details?: Readonly<Record<string, unknown>>): void
  warn(message: string, details?: Readonly<Record<string, unknown>>): void
  fault(message: string, error: unknown, details?: Readonly<Record<string, unknown>>): void
  /** Writes what is still gathered. */
  flush(): void
}

/** JSON lines, on stderr unless another stream is given: no key, secret or address is ever in one (decisions 1). */
export function createLog(stream: DestinationStream & { flush?(): void } = createLogSink(2)): ServiceLog {
  const flush = (): void => stream.flush?.()
  const log = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level } }, stream)
  const fault: ServiceLog['fault'] = (message, error, details = {}) => {
    log[severityOf(error)]({ ...details, error: described(error) }, message)
    flush()
  }
  return {
    request(entry) {
      if (entry.error === undefined) log.info(entry, 'request')
      else log[severityOf(entry.error)]({ ...entry, error: described(entry.error) }, 'request')
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

/** An unusable database is for its operator to look at; it is no bug of ours. */
function severityOf(error: unknown): 'warn' | 'error' {
  return error instanceof StoreError ? 'warn' : 'error'
}

/** Only the name of a fault and where it arose: the message of a driver may contain a row. */
function described(error: unknown): Record<string, string | undefined> {
  if (!(error instanceof Error)) return { message: scrub(String(error)) }
  const { name, message, stack } = error
  const cause = error.cause instanceof Error ? scrub(error.cause.message) : undefined
  return { name, message: scrub(message), stack: stack && scrub(stack), cause }
}
