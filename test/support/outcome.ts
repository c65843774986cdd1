import { ServiceError } from '../../src/client/client.ts'

/** The outcome of a call, accepted or rejected. */
export type Outcome = {
  status: number
  text: string
  headers: Readonly<Record<string, string>>
  extra?: unknown
}

/** The answer of a call that may be rejected. Throws anything else. */
export async function outcomeOf(
  call: Promise<{ status: number; text: string; headers: Readonly<Record<string, string>> }>,
): Promise<Outcome> {
  try {
    const { status, text, headers } = await call
    return { status, text, headers }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const { status, message, extra, headers } = error
    return { status, text: message, headers, extra }
  }
}

/** The statuses of calls that ran at once, in order. */
export async function statusesOf(calls: ReadonlyArray<Promise<Outcome>>): Promise<number[]> {
  return (await Promise.all(calls)).map(({ status }) => status).sort((a, b) => a - b)
}
