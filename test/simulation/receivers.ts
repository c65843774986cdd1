import type { AttemptResult } from '../../src/domain/webhooks/webhook-schedule.ts'
import { signedHeaders } from '../../src/domain/webhooks/webhook-signature.ts'
import type { Attempt } from '../../src/engine/webhooks/delivery-attempts.ts'
import { runtime } from '../../src/runtime/runtime.ts'
import { trueTime } from './machine.ts'
import type { Process, Scheduler } from './scheduler.ts'
import type { FaultRates } from './story.ts'

/** A receiver's request, and when it was sent, by a correct clock. */
export type Receipt = {
  subscriptionId: string
  eventId: string
  payload: string
  headers: ReturnType<typeof signedHeaders>
  at: number
}

/** A delivery attempt; `ended` is infinite if the worker died meanwhile. */
export type Delivering = {
  attempt: Attempt
  process: Process
  begun: number
  ended: number
  at: number
  how: 'under way' | 'received' | 'answer lost' | 'refused' | 'too late'
}

/** The partners' webhook receivers, instead of the network. */
export type Receivers = {
  receipts: Receipt[]
  delivering: Delivering[]
  attempt(attempt: Attempt, abort: AbortSignal): Promise<AttemptResult>
  /** One is dead, slow, failing, or unsteady for some hours. */
  upset(which: number, ms: number): void
  heal(): void
}

type Mood = 'well' | 'dead' | 'slow' | 'failing' | 'unsteady'
const everyMood: readonly Mood[] = ['dead', 'slow', 'failing', 'unsteady', 'unsteady']
/** The share of answers within 20 ms. The others take up to the maximum; a healthy receiver stays just below slow. */
const promptly: Record<Mood, number> = { well: 0.8, dead: 1, failing: 0.8, unsteady: 0.3, slow: 0 }
const latestMs: Record<Mood, number> = {
  well: 1_500,
  dead: 20,
  failing: 1_500,
  unsteady: 2_500,
  slow: 21_000,
}

/** A receiver is down this many times longer than a service: up to eight hours, and one of six up to eleven days. */
const [longerBy, farLongerBy] = [10_000, 320_000]

export function createReceivers(
  scheduler: Scheduler,
  rates: FaultRates,
  note: (line: string) => void,
): Receivers {
  const moods = new Map<string, { mood: Mood; until: number }>()
  const moodOf = (hostname: string): Mood => {
    const { mood, until } = moods.get(hostname) ?? { mood: 'well', until: 0 }
    return scheduler.now() < until ? mood : 'well'
  }
  const receipts: Receipt[] = []
  const answer = (response_code: number | null, error: string | null = null): AttemptResult => ({
    response_code,
    error,
    retry_after_ms: null,
  })
  const delivering: Delivering[] = []
  return {
    receipts,
    delivering,
    async attempt(attempt, abort) {
      const { url, subscriptionId, eventId, payload, secrets } = attempt
      const process = scheduler.current()
      const { random } = process
      const headers = signedHeaders(secrets, eventId, payload, runtime.clock())
      const at = trueTime()
      const never = Number.POSITIVE_INFINITY
      const one: Delivering = { attempt, process, begun: scheduler.steps, ended: never, at, how: 'under way' }
      delivering.push(one)
      const ended = (how: Delivering['how']) => Object.assign(one, { how, ended: scheduler.steps })
      const now = moodOf(new URL(url).hostname)
      const ms = random.is(promptly[now]) ? 20 : latestMs[now]
      await orAborted(scheduler.sleep(random.int(ms)), abort)
      ended(abort.aborted ? 'too late' : 'refused')
      if (abort.aborted) return answer(null, 'No answer came in time.')
      if (now === 'dead') return answer(null, 'The connection was refused.')
      if (now === 'failing' || (now === 'unsteady' && random.is(0.3))) return answer(500)
      receipts.push({ subscriptionId, eventId, payload, headers, at })
      note(`webhook ${subscriptionId} ${eventId} ${headers['webhook-signature']}`)
      const isLost = random.is(rates.lostWebhooks)
      ended(isLost ? 'answer lost' : 'received')
      return isLost ? answer(null, 'The connection was closed.') : answer(204)
    },
    upset(which, ms) {
      const hostname = `receiver-${which % 2}.test`
      const until = scheduler.now() + ms * (which === 5 ? farLongerBy : longerBy)
      if (until < (moods.get(hostname)?.until ?? 0)) return
      moods.set(hostname, { mood: everyMood[ms % everyMood.length]!, until })
    },
    heal: () => moods.clear(),
  }
}

function orAborted(wait: Promise<void>, abort: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    abort.addEventListener('abort', () => resolve(), { once: true })
    void wait.then(resolve)
  })
}
