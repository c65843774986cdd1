import { own } from '../../contract/own.ts'
import type { UnitOfWork, Workplace } from '../../engine/context.ts'
import { inUnitOfWork } from '../../engine/unit-of-work.ts'

type Task<T> = (work: UnitOfWork) => Promise<T>
type Waiting = {
  task: Task<unknown>
  rows: number
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** Deliveries written in one transaction: some milliseconds, so that others write in between. */
const rowsAtOnce = 200
/** A task counts as at least this many rows. */
const rowsLeast = 25

/** Keeps a scope's attempts in order. Those that end during a transaction share the next. `rows`: deliveries written. */
export type AttemptRecorder = { record<T>(scopeId: number, rows: number, task: Task<T>): Promise<T> }

export function createAttemptRecorder(place: Workplace): AttemptRecorder {
  /** By scope, for its next transactions: one partner's import blocks no other's. */
  const waiting = new Map<number, Waiting[]>()

  async function write(scopeId: number, first: Waiting): Promise<void> {
    const tasks = [first]
    waiting.set(scopeId, tasks)
    while (tasks.length > 0) await recordAll(place, scopeId, takeSome(tasks))
    waiting.delete(scopeId)
  }

  return {
    record: <T>(scopeId: number, rows: number, task: Task<T>) =>
      new Promise<T>((resolve, reject) => {
        const one = { task, rows, resolve: resolve as (value: unknown) => void, reject }
        const tasks = waiting.get(scopeId)
        if (tasks) tasks.push(one)
        else void write(scopeId, one)
      }),
  }
}

function takeSome(tasks: Waiting[]): Waiting[] {
  let sum = 0
  const end = tasks.findIndex(({ rows }, at) => {
    sum += Math.max(rows, rowsLeast)
    return at > 0 && sum > rowsAtOnce
  })
  return tasks.splice(0, end === -1 ? tasks.length : end)
}

async function recordAll(place: Workplace, scopeId: number, tasks: readonly Waiting[]): Promise<void> {
  try {
    const values = await inUnitOfWork(place, scopeId, async (work) => {
      const done: unknown[] = []
      for (const { task } of tasks) done.push(await task(work))
      return done
    })
    for (const [at, { resolve }] of tasks.entries()) resolve(values[at])
  } catch (error) {
    for (const { reject } of tasks) reject(error)
  }
}

/** Why an attempt failed, in the partner's words: no address, no detail of this machine or its network. */
export class AttemptFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'AttemptFault'
  }
}

const messages: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed before an answer arrived.',
  EPIPE: 'The connection was closed before an answer arrived.',
  ETIMEDOUT: 'The connection timed out.',
  EHOSTUNREACH: 'The receiver cannot be reached.',
  ENETUNREACH: 'The receiver cannot be reached.',
}

export function faultOf(error: unknown): AttemptFault {
  if (error instanceof AttemptFault) return error
  const code = codeOf(error)
  const message = own(messages, code)
  if (message !== undefined) return new AttemptFault(message)
  if (/CERT|SIGNATURE|ERR_TLS/.test(code)) {
    return new AttemptFault(`The receiver's certificate was not accepted (${code}).`)
  }
  if (code.startsWith('ERR_SSL') || code === 'EPROTO')
    return new AttemptFault('The receiver does not speak TLS as expected.')
  if (code.startsWith('HPE_')) return new AttemptFault('The receiver’s answer is not HTTP.')
  return new AttemptFault('The connection failed.')
}

/** For several failed addresses, the first one's. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
