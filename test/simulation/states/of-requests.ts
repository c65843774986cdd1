import type { Done } from '../run.ts'
import {
  conflictOf,
  count,
  dayMs,
  goodIssue,
  isGood,
  isWrite,
  metBy,
  ofDeeds,
  ofRepeated,
  overlap,
  type States,
} from './seen.ts'

const isImport = (one: Done): boolean => /^import/.test(one.act.id)

/** Rare states of requests, their keys, and their way. */
export const statesOfRequests = {
  'a request was lost, and then the answer of its retry': ofRepeated(([first, second]) =>
    [first, second].every((one, at) => one?.fate === (at === 0 ? 'request lost' : 'answer lost')),
  ),
  'a write was done and its answer lost twice': ofRepeated(
    (sent) => count(sent, (one) => isWrite(one) && one.fate === 'answer lost' && isGood(one.status)) >= 2,
  ),
  'a chunk of an import was committed and its answer lost twice': ofDeeds(
    (one, _, sent) =>
      one.isOfTool &&
      isImport(one) &&
      count(sent, ({ fate, status }) => fate === 'answer lost' && isGood(status)) >= 2,
  ),
  'a request was tried five times': ofRepeated((sent) => sent.length >= 5),
  'one key was at work on two services at once': ofRepeated((sent) =>
    sent.some((a, at) =>
      sent.slice(at + 1).some((b) => b.service && a.service && a.service !== b.service && overlap(a, b)),
    ),
  ),
  'one key was at work twice on one service': ofRepeated((sent) =>
    sent.some((a, at) =>
      sent.slice(at + 1).some((b) => a.service && a.service === b.service && overlap(a, b)),
    ),
  ),
  'a service died after it had committed, and the retry got the stored answer': ofRepeated((sent) => {
    const at = sent.findIndex(({ fate }) => fate === 'cut off')
    const others = sent.filter((_, n) => n !== at)
    return (
      at >= 0 &&
      others.length > 0 &&
      others.every((one) => one.isReplayed || one.service === undefined) &&
      others.some(({ isReplayed, status }) => isReplayed && isGood(status))
    )
  }),
  'a service died before it committed, and another did the work': ofRepeated((sent) => {
    const at = sent.findIndex((one) => one.fate === 'cut off' && isWrite(one))
    return at >= 0 && sent.slice(at + 1).some((one) => isGood(one.status) && !one.isReplayed)
  }),
  'a service did not know whether it had committed, and found its own result': ofDeeds((_, __, sent) => {
    const [first] = sent.filter(({ service }) => service !== undefined)
    return first?.isReplayed === true
  }),
  'a commit that nobody knew of was rolled back, and the write done once more': metBy(
    'unheard rollback',
    (one) => isWrite(one) && isGood(one.status) && !one.isReplayed,
  ),
  'a service could not write, and another did the same request': ofRepeated((sent) => {
    const at = sent.findIndex((one) => one.status === 503 && isWrite(one))
    return (
      at >= 0 && sent.slice(at + 1).some((one) => isGood(one.status) && one.service !== sent[at]?.service)
    )
  }),
  'a stored answer was given again after days': ofRepeated((sent) =>
    sent.some(({ isReplayed, status, at }) => isReplayed && isGood(status) && at - sent[0]!.at > 2 * dayMs),
  ),
  'a stored answer was given again after more than the seven days that are promised': ofRepeated((sent) =>
    sent.some(({ isReplayed, at }) => isReplayed && at - sent[0]!.at > 7 * dayMs),
  ),
  'a stored rejection was given again days later': ofRepeated((sent) =>
    sent.some(({ isReplayed, status, at }) => isReplayed && status === 409 && at - sent[0]!.at > dayMs),
  ),
  'an order was created, cancelled, and its creation asked for again under the same key': ofDeeds(
    (one, { done }, sent) => {
      const good = goodIssue(one)
      if (one.act.id !== 'createFulfillment' || !good?.text) return false
      const { id } = JSON.parse(good.text)
      const over = done.find(
        ({ act, issues }) =>
          act.id === 'cancelFulfillment' &&
          act.request.params.fulfillment_id === id &&
          issues.some(({ status }) => isGood(status)),
      )
      const since = over && goodIssue(over)!.ended
      return since !== undefined && sent.some(({ isReplayed, begun }) => isReplayed && begun > since)
    },
  ),
  'an order was rejected, and later ordered under another key': ofDeeds((one, { done }) => {
    const { act } = one
    const rejected = conflictOf(one)
    if (act.id !== 'createFulfillment' || !rejected || !act.request.body.qids) return false
    const [qid] = act.request.body.qids
    return done.some(
      (other) =>
        other.act.id === 'createFulfillment' &&
        other.act.request.body.qids?.includes(qid!) === true &&
        (goodIssue(other)?.begun ?? 0) > rejected.ended,
    )
  }),
  'writes of one partner were at work on three services at once': ({ sent }) =>
    count(sent.filter(isWrite), (one, at, writes) => {
      const services = new Set([one.service])
      for (let next = at + 1; writes[next] && writes[next]!.begun < one.ended; next++)
        if (writes[next]!.partner === one.partner) services.add(writes[next]!.service)
      services.delete(undefined)
      return services.size >= 3
    }),
  'a wait for events was cut off by the death of its service': ({ sent }) =>
    count(sent, ({ isWaiting, fate }) => isWaiting && fate === 'cut off'),
  'a wait for events ended with an event that came meanwhile': ofDeeds(({ act, issues }) => {
    const isWaiting = act.id === 'listEvents' && act.request.headers !== undefined
    return isWaiting && issues.some(({ asked, answered, text }) => answered - asked > 50 && hasSome(text))
  }),
  'a wait for events ended without any': ofDeeds(({ act, issues }) => {
    const isWaiting = act.id === 'listEvents' && act.request.headers !== undefined
    return isWaiting && issues.some(({ status, text }) => status === 200 && !hasSome(text))
  }),
  "a partner named another's goods while their owner moved them": ({ partners }) => {
    const owned = partners.map(({ effects, done }) =>
      done.filter(({ trace, isStrange }) => !isStrange && effects.has(trace)),
    )
    return count(
      partners.flatMap(({ done }) => done.filter(({ isStrange }) => isStrange)),
      (stranger) => {
        const text = JSON.stringify(stranger.act.request)
        return owned
          .flat()
          .some(
            (one) =>
              one.deed.partner !== stranger.deed.partner &&
              one.issues.some((a) => stranger.issues.some((b) => overlap(a, b))) &&
              [...Object.values((one.act.request as { params?: object }).params ?? {})].some((id) =>
                text.includes(`${id}`),
              ),
          )
      },
    )
  },
} as const satisfies States

const hasSome = (text: string): boolean => text !== '' && !/"results":\[\]/.test(text)
