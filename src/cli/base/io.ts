import { fstatSync, statSync, writeSync } from 'node:fs'
import { runtime } from '../../runtime/runtime.ts'
import { CliError } from './cli-error.ts'
import { exitCodes } from './exit-codes.ts'
import { terminalText } from './terminal-text.ts'

/** Where text goes. Writing is synchronous: what was written has left the process when the call returns. */
export type Outlet = {
  /**
   * Writes text without anything that a terminal would act on. `isData`: it is for programs, and is written unchanged unless
   * it goes to a terminal. Throws `BrokenPipe` when the reader has gone, `CliError` if the text cannot be written.
   */
  write(text: string, isData?: boolean): void
  readonly isTerminal: boolean
  /** Characters of a terminal's line. */
  columns(): number
  /** Lines of a terminal's screen; only a terminal has any. */
  rows?(): number
}

/** The environment of a run of the tool; a demo or a test gives its own. */
export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** What relative paths start from. */
  readonly cwd: string
  readonly stdin: { readonly isTerminal: boolean; chunks(): AsyncIterable<Uint8Array> }
  readonly out: Outlet
  readonly err: Outlet
  /** No progress is drawn. */
  readonly isQuiet?: boolean
  now(): number
  /** Aborted by SIGINT and SIGTERM, which from the first call on no longer end the process by themselves. */
  stopSignal(): AbortSignal
}

/** The reader of the output went away (`| head -1`): the end of the output, not a fault. */
export class BrokenPipe extends Error {
  constructor() {
    super('The reader of the output is gone.')
    this.name = 'BrokenPipe'
  }
}

/** The environment of this process. Nothing is opened before it is used, because that would slow down every start. */
export function processIo(): Io {
  return {
    env: process.env,
    cwd: process.cwd(),
    stdin: {
      get isTerminal() {
        return isTerminal(0)
      },
      chunks: () => process.stdin as AsyncIterable<Uint8Array>,
    },
    out: outletOf(1, () => process.stdout),
    err: outletOf(2, () => process.stderr),
    now: runtime.clock,
    stopSignal,
  }
}

let stop: AbortController | undefined

/**
 * A second signal means that the operator insists. But `timeout`, npm and the like send the first one to the process and to its
 * group, so that it arrives twice.
 */
const sameSignalMs = 300

function stopSignal(): AbortSignal {
  if (stop !== undefined) return stop.signal
  const controller = new AbortController()
  let first: { signal: string; at: number } | undefined
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const now = runtime.uptime()
      if (first === undefined) {
        first = { signal, at: now }
        controller.abort()
      } else if (signal !== first.signal || now - first.at > sameSignalMs) process.exit(exitCodes.interrupted)
    })
  }
  stop = controller
  return controller.signal
}

const columnsDefault = 80
const rowsDefault = 24

function outletOf(fd: 1 | 2, stream: () => NodeJS.WriteStream): Outlet {
  const isTty = isTerminal(fd)
  let isBusy = false
  return {
    isTerminal: isTty,
    columns: () => (isTty && stream().columns) || columnsDefault,
    rows: () => (isTty && stream().rows) || rowsDefault,
    write(text, isData = false) {
      const bytes = Buffer.from(isData && !isTty ? text : terminalText(text))
      const rest = isBusy ? bytes : writeAll(fd, bytes)
      if (rest.length === 0) return
      // Another holder made the descriptor non-blocking: from here on Node.js's own stream waits for room.
      if (!isBusy) stream().once('error', endOfOutput)
      isBusy = true
      stream().write(rest)
    },
  }
}

/** For a stream that fails asynchronously, when nobody could catch an error. */
function endOfOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(exitCodes.ok)
  try {
    writeSync(2, `custody: ${unwritable(message).message}\n`)
  } catch {
    // There is nowhere to report it either.
  }
  process.exit(exitCodes.unreachable)
}

/** A full disk, for example. This is no fault of custody's, and a change that was asked for has been made all the same. */
function unwritable(message: string): CliError {
  return new CliError('unreachable', `The output cannot be written: ${message}.`, {
    hint: 'Redirect it or free some space. The requested change may have been made.',
  })
}

/** Loading node:tty loads half of the network stack, so it is only asked about what may be a terminal. */
function isTerminal(fd: 0 | 1 | 2): boolean {
  try {
    const device = fstatSync(fd)
    if (!device.isCharacterDevice() || device.rdev === nullDevice()) return false
  } catch {
    return false
  }
  const tty: typeof import('node:tty') = process.getBuiltinModule('node:tty')
  return tty.isatty(fd)
}

/** /dev/null, from which cron jobs read: a character device like a terminal, but none. Undefined if there is none. */
function nullDevice(): number | undefined {
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev
}

/** Returns what could not be written. */
function writeAll(fd: number, bytes: Buffer): Buffer {
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      if (code === 'EAGAIN') return rest
      throw code === 'EPIPE' ? new BrokenPipe() : unwritable(message)
    }
  }
  return rest
}
