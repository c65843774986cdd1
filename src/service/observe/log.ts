import { write, writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'
import { pino } from 'pino'
import { runtime } from '../../runtime/runtime.ts'
import { StoreError } from '../../store/database.ts'
import type { LogEntry } from '../context.ts'
import { scrub } from './scrub.ts'

export type ServiceLog = {
  request(entry: LogEntry): void
  info(message: string, details?: Readonly<Record<string, unknown>>): void
  warn(message: string, details?: Readonly<Record<string, unknown>>): void
  fault(message: string, error: unknown, details?: Readonly<Record<string, unknown>>): void
  flush(): void
}

/** JSON lines, on stderr by default. No line contains a key, a secret or an address (decisions 1). */
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

function severityOf(error: unknown): 'warn' | 'error' {
  return error instanceof StoreError ? 'warn' : 'error'
}

/** Scrubbed: a driver's message may contain a key or a secret. */
function described(error: unknown): Record<string, string | undefined> {
  if (!(error instanceof Error)) return { message: scrub(String(error)) }
  const { name, message, stack } = error
  const cause = error.cause instanceof Error ? scrub(error.cause.message) : undefined
  return { name, message: scrub(message), stack: stack && scrub(stack), cause }
}

/** Lines are buffered, because writing each one takes as long as the rest of a request. */
type LogSink = {
  write(line: string): void
  flush(): void
}

type Gathering = {
  fd: number
  lines: string[]
  length: number
  dropped: number
  writing: Buffer | undefined
  callOff: (() => void) | undefined
}

/** Maximum characters in the buffer, and maximum milliseconds that they stay there. */
const gatheredMax = 32_768
const gatheredMs = 500
/** Maximum characters that wait for a slow reader; further lines are dropped and counted. */
const waitingMax = 8 * 1024 * 1024
const againMs = 10

/** Writes lines in order, never blocking or ending the process. */
export function createLogSink(fd: number): LogSink {
  const gathering: Gathering = {
    fd,
    lines: [],
    length: 0,
    dropped: 0,
    writing: undefined,
    callOff: undefined,
  }
  return {
    write: (line) => gather(gathering, line),
    flush() {
      callOff(gathering)
      writeAll(fd, take(gathering))
    },
  }
}

function gather(gathering: Gathering, line: string): void {
  if (gathering.length > waitingMax) {
    gathering.dropped += 1
    return
  }
  gathering.lines.push(line)
  gathering.length += line.length
  if (gathering.length >= gatheredMax) writeGathered(gathering)
  else gathering.callOff ??= runtime.after(gatheredMs, () => writeGathered(gathering), true)
}

function writeGathered(gathering: Gathering): void {
  callOff(gathering)
  if (gathering.writing || gathering.length === 0) return
  writeRest(gathering, take(gathering))
}

function writeRest(gathering: Gathering, bytes: Buffer): void {
  gathering.writing = bytes
  write(gathering.fd, bytes, (error, written) => {
    if (error?.code === 'EAGAIN') {
      runtime.after(againMs, () => writeRest(gathering, bytes), true)
      return
    }
    // The reader has gone or the disk is full: the service continues without its log.
    if (!error && written < bytes.length) return writeRest(gathering, bytes.subarray(written))
    gathering.writing = undefined
    if (gathering.length >= gatheredMax) writeGathered(gathering)
  })
}

function take(gathering: Gathering): Buffer {
  const { lines, dropped } = gathering
  if (dropped > 0) lines.push(`{"level":"warn","dropped":${dropped},"msg":"log lines were dropped"}\n`)
  Object.assign(gathering, { lines: [], length: 0, dropped: 0 })
  return Buffer.from(lines.join(''))
}

function callOff(gathering: Gathering): void {
  gathering.callOff?.()
  gathering.callOff = undefined
}

function writeAll(fd: number, bytes: Buffer): void {
  let rest = bytes
  for (let attempts = 0; rest.length > 0 && attempts < 1000; attempts++) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
  }
}
