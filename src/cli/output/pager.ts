import type { ChildProcess } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { BrokenPipe, type Io, type Outlet } from '../base/io.ts'
import { terminalText } from '../base/terminal-text.ts'
import { isOnPath } from './on-path.ts'

/** `end` waits until the reader has left the pager. */
export type Paged = { out: Outlet & { drained(): Promise<void> }; err: Outlet; end(): Promise<void> }

/** `held`: text held back until it exceeds one screen. */
type State = {
  held: string | undefined
  screenLines: number
  pager: ChildProcess | undefined
  isGone: boolean
}

/** Starts the pager once output exceeds the screen. stderr waits for its end: two programs cannot write on one screen. */
export function pagedOutput(io: Io): Paged | undefined {
  const command = pagerCommand(io)
  if (command === undefined) return undefined
  const state: State = { held: '', screenLines: 0, pager: undefined, isGone: false }
  let late = ''
  const flush = (): void => {
    const text = state.held
    state.held = undefined
    if (text) io.out.write(text)
  }
  const out = {
    ...io.out,
    write(text: string) {
      if (state.isGone) throw new BrokenPipe()
      if (state.pager) return void state.pager.stdin?.write(terminalText(text))
      if (state.held === undefined) return io.out.write(text)
      state.held += text
      state.screenLines += linesOnScreen(text, io.out.columns())
      if (state.screenLines >= (io.out.rows?.() ?? Number.POSITIVE_INFINITY)) startPager(command, io, state)
    },
    drained: () => drained(state),
  }
  const err: Outlet = {
    ...io.err,
    write(text) {
      if (state.pager) late += text
      else {
        // Printed at once; output before it is flushed, so that the order stays.
        if (state.held !== '') flush()
        io.err.write(text)
      }
    },
  }
  const end = async (): Promise<void> => {
    if (state.pager) await ended(state.pager)
    else flush()
    if (late !== '') io.err.write(late)
  }
  return { out, err, end }
}

/** CUSTODY_PAGER, PAGER, or `less` if installed. */
function pagerCommand({ env, out }: Io): string | undefined {
  if (!out.isTerminal || out.rows === undefined || env.TERM === 'dumb') return undefined
  const command = (env.CUSTODY_PAGER ?? (env.PAGER || 'less -FRX')).trim()
  if (command === '' || command === 'cat') return undefined
  const [name = ''] = command.split(' ')
  // Anything but a bare name may be shell syntax, which only the shell can check.
  return /^[\w./-]+$/.test(name) && !isOnPath(name, env) ? undefined : command
}

function linesOnScreen(text: string, width: number): number {
  return stripVTControlCharacters(terminalText(text))
    .split('\n')
    .slice(0, -1)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0)
}

function startPager(command: string, { env, cwd }: Io, state: State): void {
  const { spawn } = process.getBuiltinModule('node:child_process')
  // The pager handles Ctrl-C; custody exits when the pager does.
  process.on('SIGINT', stay)
  const pager = spawn(command, {
    shell: true,
    cwd,
    // Output is UTF-8 in every locale.
    env: { ...env, LESS: env.LESS ?? 'FRX', LESSCHARSET: env.LESSCHARSET ?? 'utf-8' },
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  // Quitting the pager early is not an error, and the rest need not be fetched.
  const leave = (): void => {
    state.isGone = true
  }
  pager.stdin?.on('error', leave)
  pager.once('close', leave).once('error', leave)
  state.pager = pager
  pager.stdin?.write(terminalText(state.held ?? ''))
  state.held = undefined
}

function stay(): void {}

/** Waits for the pager, so that a long list is fetched no faster than it is read. */
async function drained({ pager, isGone }: State): Promise<void> {
  const stdin = pager?.stdin
  if (!pager || !stdin?.writableNeedDrain || isGone) return
  await new Promise<void>((resolve) => {
    stdin.once('drain', resolve).once('error', () => resolve())
    pager.once('close', () => resolve())
  })
}

async function ended(pager: ChildProcess): Promise<void> {
  const isOver = pager.exitCode !== null || pager.signalCode !== null
  const close = isOver
    ? undefined
    : new Promise((resolve) => pager.once('close', resolve).once('error', resolve))
  pager.stdin?.end()
  await close
  process.off('SIGINT', stay)
}
