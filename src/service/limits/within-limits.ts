import type { Call, Reply } from '../../contract/call.ts'
import { operation as operationOf } from '../../contract/operations.ts'
import type { WorkLimiter } from '../context.ts'
import { preferredLast, preferredWait } from '../pipeline/prefer.ts'
import { longAnswer } from './work-limits.ts'

/** Throws `rate_limited` or `Overloaded` if the key has too much in progress. */
export async function withinLimits(
  work: WorkLimiter,
  key: string,
  call: Call,
  answer: (call: Call) => Promise<Reply>,
): Promise<Reply> {
  const ends = [work.take(key, mayWait(call) ? 'waits' : 'requests')]
  try {
    // Checked first, to do no work for a response that would not fit in memory.
    work.check(key, 'answerBytes')
    const count = (bytes: number): void => void ends.push(work.take(key, 'uploadBytes', bytes))
    const makeRoom: Call['makeRoom'] = (bytes) =>
      bytes > longAnswer ? work.take(key, 'answerBytes', bytes) : undefined
    const reply = await answer({ ...call, body: () => call.body(count), makeRoom })
    const bytes = reply.body.length
    if (bytes <= longAnswer) reply.sent?.()
    if (bytes <= longAnswer || reply.sent) return reply
    // A committed write is always acknowledged, however long its response.
    const keep = isRead(call) ? work.take : work.hold
    return { ...reply, sent: keep(key, 'answerBytes', bytes) }
  } finally {
    for (const end of ends) end()
  }
}

function isRead({ operation }: Call): boolean {
  return operation !== undefined && operationOf(operation).method === 'GET'
}

function mayWait(call: Call): boolean {
  const { operation } = call
  if (operation === undefined || !operationOf(operation).waits) return false
  return preferredWait(call) > 0 && !preferredLast(call)
}
