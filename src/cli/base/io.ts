import { fstatSync, statSync, writeSync } from 'node:fs'
import { runtime } from '../../runtime/runtime.ts'
import { CliError, exitCodes } from './cli-error.ts'
import { faultText, ifPossible } from './system-fault.ts'
import { terminalText } from './terminal-text.ts'

/** Synchronous: when a call returns, the text has left the process. */
export type Outlet = {
  /** Blanks characters that a terminal acts on; in data, only on a terminal. Throws `BrokenPipe`, or `CliError` if it fails. */
  write(text: string, isData?: boolean): void
  readonly isTerminal: boolean
  columns(): number
  rows?(): number
  /** Takes a progress line from the terminal before other text is written. */
  makeRoom?: (() => unknown) | undefined
}

export type Io = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: { readonly isTerminal: boolean; chunks(): AsyncIterable<Uint8Array> }
  readonly out: Outlet
  readonly err: Outlet
  /** Draws no progress. */
  readonly isQuiet?: boolean
  now(): number
  /** Aborted by SIGINT, SIGTERM, or the end of the terminal. From the first call on, none of them ends the process by itself. */
  stopSignal(): AbortSignal
  /** The same once it was asked for: it also aborts questions, and reads that have no signal of their own. */
  readsEnd?(): AbortSignal | undefined
}

/** The reader closed the output (`| head -1`): the output ends, which is not an error. */
export class BrokenPipe extends Error {
  constructor() {
    super('The program that reads the output has exited.')
    this.name = 'BrokenPipe'
  }
}

/** Opens nothing before its first use, because that would slow down every start. */
export function processIo(): Io {
  return {
    env: process.env,
    // If the folder was deleted, the shell still knows its name: full paths work, and other files are missing.
    cwd: ifPossible(() => process.cwd()) ?? (process.env.PWD || '/'),
    stdin: {
      get isTerminal() {
        return isTerminal(0)
      },
      chunks() {
        isStdinRead = true
        return process.stdin as AsyncIterable<Uint8Array>
      },
    },
    out: outletOf(1, () => process.stdout),
    err: outletOf(2, () => process.stderr),
    now: runtime.clock,
    stopSignal,
    readsEnd: () => stop?.signal,
  }
}

let isStdinRead = false

/** A terminal or a pipe that stays open would keep the process running; a file has no `unref`. */
export function leaveStdin(): void {
  if (isStdinRead) process.stdin.unref?.()
}

let stop: AbortController | undefined

/** A second signal means "at once". But `timeout` and npm signal the process and its group, so one signal arrives twice. */
const sameSignalMs = 300

function stopSignal(): AbortSignal {
  if (stop !== undefined) return stop.signal
  const controller = new AbortController()
  let first: { signal: string; at: number } | undefined
  // Without a terminal, hang-ups are ignored (main.ts).
  const hangUp = process.listenerCount('SIGHUP') > 0 ? [] : (['SIGHUP'] as const)
  for (const signal of ['SIGINT', 'SIGTERM', ...hangUp] as const) {
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
  const outlet: Outlet = {
    isTerminal: isTty,
    columns: () => (isTty && stream().columns) || columnsDefault,
    rows: () => (isTty && stream().rows) || rowsDefault,
    write(text, isData = false) {
      outlet.makeRoom?.()
      const bytes = Buffer.from(isData && !isTty ? text : terminalText(text))
      const rest = isBusy ? bytes : writeAll(fd, bytes)
      if (rest.length === 0) return
      // Another process made the descriptor non-blocking. From now on, writes use Node.js's stream, which waits for room.
      if (!isBusy) stream().on('error', (error) => endOfOutput(fd, error))
      isBusy = true
      stream().write(rest)
    },
  }
  return outlet
}

/** The stream fails asynchronously, when nothing could catch an error. */
function endOfOutput(fd: 1 | 2, error: NodeJS.ErrnoException): void {
  if (isUnread(fd, error)) return
  if (error.code === 'EPIPE') process.exit(exitCodes.ok)
  ifPossible(() => writeSync(2, `custody: ${unwritable(error).message}\n`))
  process.exit(exitCodes.unreachable)
}

/** Nobody reads the notices: no reason to leave the work undone. */
function isUnread(fd: 1 | 2, error: unknown): boolean {
  return fd === 2 && (error as NodeJS.ErrnoException).code === 'EPIPE'
}

function unwritable(error: unknown): CliError {
  return new CliError('unreachable', `The output cannot be written: ${faultText(error)}.`, {
    hint: 'Redirect it or free some space. If the command changes something, that may have been done.',
  })
}

/** node:tty loads half of the network stack, so it is loaded only for character devices. */
function isTerminal(fd: 0 | 1 | 2): boolean {
  const device = ifPossible(() => fstatSync(fd))
  if (!device?.isCharacterDevice()) return false
  // Cron jobs read from /dev/null, which is a character device too.
  if (device.rdev === statSync('/dev/null', { throwIfNoEntry: false })?.rdev) return false
  const tty: typeof import('node:tty') = process.getBuiltinModule('node:tty')
  return tty.isatty(fd)
}

function writeAll(fd: 1 | 2, bytes: Buffer): Buffer {
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if (isUnread(fd, error)) return Buffer.of()
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EAGAIN') return rest
      throw code === 'EPIPE' ? new BrokenPipe() : unwritable(error)
    }
  }
  return rest
}
