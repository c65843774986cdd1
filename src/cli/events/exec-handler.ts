import { type ChildProcess, spawn } from 'node:child_process'
import { ifPossible } from '../base/system-fault.ts'
import type { LoggedEvent } from './event-pages.ts'
import { type Handler, HandlerFailure } from './on-failure.ts'

type ExecPlace = { env: Readonly<Record<string, string | undefined>>; cwd: string }

/** Runs a shell command per event: JSON on stdin, fields in variables, its output passed through. Only exit code 0 succeeds. */
export function execHandler(command: string, place: ExecPlace): Handler {
  const running = new Set<ChildProcess>()
  // After a second Ctrl-C nothing waits for the children.
  process.once('exit', () => {
    for (const child of running) endGroup(child)
  })
  return async (logged, attempt) => {
    const child = start(command, place, logged, attempt)
    running.add(child)
    try {
      await ended(child, `${logged.text()}\n`)
    } finally {
      running.delete(child)
    }
  }
}

function start(
  command: string,
  { env, cwd }: ExecPlace,
  { event }: LoggedEvent,
  attempt: number,
): ChildProcess {
  const own = {
    CUSTODY_EVENT_ID: event.id,
    CUSTODY_EVENT_TYPE: event.type,
    CUSTODY_EVENT_CREATED_AT: event.created_at,
    CUSTODY_EVENT_ATTEMPT: String(attempt),
  }
  try {
    // In its own process group, so that Ctrl-C on the terminal stops custody after this event, not the command half-way.
    return spawn(command, {
      shell: true,
      detached: true,
      cwd,
      env: { ...env, ...own },
      stdio: ['pipe', 'inherit', 'inherit'],
    })
  } catch (error) {
    throw notStarted(error)
  }
}

function ended(child: ChildProcess, input: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(notStarted(error)))
    child.once('exit', (code, signal) => {
      if (code === 0) resolve()
      else {
        const how = signal === null ? `exited with ${code}` : `was killed by ${signal}`
        reject(new HandlerFailure(`the command ${how}`, { wasTold: toldToStop.has(signal ?? code) }))
      }
    })
    // The command may exit without reading its input.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** Includes a shell's exit codes for a last command ended by SIGHUP, SIGINT or SIGTERM. */
const toldToStop = new Set<number | string | null>(['SIGHUP', 'SIGINT', 'SIGTERM', 129, 130, 143])

function notStarted(error: unknown): HandlerFailure {
  const { code, message } = error as NodeJS.ErrnoException
  return new HandlerFailure(`the command cannot be started (${code ?? message})`)
}

function endGroup({ pid }: ChildProcess): void {
  // It may have ended already.
  if (pid !== undefined) ifPossible(() => process.kill(-pid, 'SIGTERM'))
}
