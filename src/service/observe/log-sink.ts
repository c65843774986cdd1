import { write, writeSync } from 'node:fs'
import { runtime } from '../../runtime/runtime.ts'

/** Where log lines go. They are gathered, because writing each one takes as long as the rest of a request. */
type LogSink = {
  write(line: string): void
  /** Writes what is gathered before it returns. */
  flush(): void
}

type Gathering = {
  fd: number
  lines: string[]
  length: number
  dropped: number
  /** What is being written, in the background. */
  writing: Buffer | undefined
  callOff: (() => void) | undefined
}

/** The most characters that are gathered, and the most milliseconds for which they are. */
const gatheredMax = 32_768
const gatheredMs = 500
/** Characters that may wait for a reader that does not keep up; further lines are dropped and counted. */
const waitingMax = 8 * 1024 * 1024
const againMs = 10

/** Writes lines to a file descriptor, in order, never blocking or ending the process. */
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
    // The reader has gone, or the disk is full: the service goes on without its log.
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
  for (let tries = 0; rest.length > 0 && tries < 1000; tries++) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
    }
  }
}
