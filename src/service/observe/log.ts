import { write, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { inTime, runtime } from '../../runtime/runtime.ts'
import { StoreError } from '../../store/database.ts'
import type { LogEntry } from '../context.ts'
import { scrub } from './scrub.ts'

export type ServiceLog = {
  request(entry: LogEntry): void
  info(message: string, details?: Readonly<Record<string, unknown>>): void
  warn(message: string, details?: Readonly<Record<string, unknown>>): void
  fault(message: string, error: unknown, details?: Readonly<Record<string, unknown>>): void
  /** Writes the waiting lines now, or once the write in progress has ended. */
  flush(): void
  /** Resolves when all lines are written, or after `endMs` if the reader does not take them. */
  end(): Promise<void>
}

/** JSON lines, on stderr by default. No line contains a key, a secret or an address (decisions 1). */
export function createLog(stream: Pick<LogSink, 'write'> & Partial<LogSink> = createLogSink(2)): ServiceLog {
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
    end: async () => stream.end?.(),
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
  end(): Promise<void>
}

type Gathering = {
  fd: number
  lines: string[]
  length: number
  dropped: number
  writing: Promise<void> | undefined
  callOff: (() => void) | undefined
}

/** Maximum characters in the buffer, and maximum milliseconds that they stay there. */
const gatheredMax = 32_768
const gatheredMs = 500
/** Maximum characters that wait for a slow reader; further lines are dropped and counted. */
const waitingMax = 8 * 1024 * 1024
const againMs = 10
const endMs = 2000

const writeAside = promisify(write)

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
      if (!gathering.writing) begin(gathering, restAfterWriting(fd, take(gathering)))
    },
    end: () => inTime(writeUntilEmpty(gathering), endMs).catch(() => {}),
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

async function writeUntilEmpty(gathering: Gathering): Promise<void> {
  do {
    writeGathered(gathering)
    await gathering.writing
  } while (gathering.writing || gathering.length > 0)
}

function writeGathered(gathering: Gathering): void {
  callOff(gathering)
  if (!gathering.writing && gathering.length > 0) begin(gathering, take(gathering))
}

function begin(gathering: Gathering, bytes: Buffer): void {
  gathering.writing = writeInOrder(gathering.fd, bytes).then(() => {
    gathering.writing = undefined
    // Without a timer, the lines that came meanwhile are due.
    if (!gathering.callOff) writeGathered(gathering)
  })
}

async function writeInOrder(fd: number, bytes: Buffer): Promise<void> {
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray((await writeAside(fd, rest)).bytesWritten)
    } catch (error) {
      // The reader has gone or the disk is full: the service continues without its log.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      await new Promise<void>((resolve) => runtime.after(againMs, resolve, true))
    }
  }
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

/** Returns what the reader did not take. */
function restAfterWriting(fd: number, bytes: Buffer): Buffer {
  let rest = bytes
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return Buffer.alloc(0)
  }
  return rest
}
