import { isDeepStrictEqual } from 'node:util'
import { type Block, isGood } from './blocks.ts'
import { lineOf } from './command-lines.ts'
import { type CommandCourse, isOver, isWriting, type Run } from './commands.ts'
import type { Model } from './model.ts'
import type { Done, History, Issue } from './run.ts'

type Wrong = (what: string) => void

/** Exit codes by the status of an answer. */
const codes: Readonly<Record<number, number>> = { 400: 6, 404: 4, 409: 5 }
const endings = new Set([undefined, 0, 2, 4, 5, 6, 8, 9, 130])

/** False statements in a command's runs, and effects that they did not mention. The requests are judged like any others. */
export function answeredFor(
  one: CommandCourse,
  { final }: History,
  effects: ReadonlyMap<string, Block>,
  model: Model,
): void {
  const { act, runs, words, isStrange } = one
  const typed = typedIn(one)
  const wrong: Wrong = (what) => void model.faults.push(`custody ${words.join(' ')}: ${what}`)
  const isDone = (deed: Done): boolean =>
    effects.has(deed.trace) || deed.issues.some(({ status }) => isGood(status))
  for (const run of runs) {
    const { code, err } = run
    if (!endings.has(code) || /\n\s+at /.test(err)) wrong(`ended with ${code}: ${err}`)
    else if (code === 0 || code === 9) checkDone(one, run, final, wrong)
    else if (code !== undefined && isOver({ ...one, runs: [run] })) checkRejected(one, run, wrong)
    for (const deed of writesOf([run]))
      if (!isTyped(typed, deed.act)) wrong(`asked for ${JSON.stringify(deed.act)}`)
    if (writesOf([run]).filter(isDone).length > 1) wrong('did it twice')
  }
  for (const deed of writesOf(runs))
    if (isDone(deed) && !runs.some((run) => mayHaveDone(run, deed)))
      wrong(`did it, and says ${runs.map(({ code, err }) => `${code} ${err}`)}`)
  for (const [key, deeds] of byKey(runs))
    if (deeds.length > 1) wrong(`asked ${deeds.length} times for what has the key ${key}`)
  const asked = writesOf(runs).filter((deed) => runs.some((run) => mayHaveDone(run, deed)))
  if (madeBy(one, final) > asked.length) wrong(`made ${madeBy(one, final)} by ${asked.length} requests`)
  // Something that an unanswered DELETE no longer finds is gone.
  if (isStrange && act.id !== 'deleteSubscription' && runs.some(({ code }) => code === 0))
    wrong("got what is another partner's")
  if (!isOver(one)) wrong(`has no end: ${runs.at(-1)?.code} ${runs.at(-1)?.err}`)
}

/** Different deeds requested by runs that write. */
function writesOf(runs: readonly Run[]): Done[] {
  const all = runs.flatMap(({ asked }) => asked.map(({ one }) => one))
  return [...new Set(all)].filter(({ act }) => isWriting(act.id))
}

/** The output equals the answer, matches the request, and is true at the end if nobody else can have changed it. */
function checkDone(one: CommandCourse, run: Run, final: History['final'], wrong: Wrong): void {
  const { act, words, isStrange } = one
  const { out, asked, err, code } = run
  const same = asked.filter(({ one }) => one.act.id === act.id)
  const mine = same.map(({ seen }) => seen)
  const good = mine.filter(({ status }) => isGood(status))
  if (act.id === 'deleteSubscription') {
    // Something that an unheard attempt deleted no longer exists.
    const isGone = good.length > 0 || mine.some(({ status }) => status === undefined)
    // By its address, it may be another that has got this address since.
    const requests = same.map(({ one }) => JSON.stringify(one.act.request))
    const isThere = final.subscriptions.some(({ id }) => requests.some((text) => text.includes(id)))
    if (!isGone || (isThere && !isStrange) || out !== '') wrong(`says that it is done: ${out} ${err}`)
    return
  }
  const { shown = (answer: unknown) => answer } = lineOf(act.id)
  const answers = good.map(({ text }) => JSON.parse(text))
  const printed = JSON.parse(out)
  const isPrinted = (answer: unknown): boolean => isDeepStrictEqual(shown(answer as never), printed)
  // By its reference, it is read from a list.
  if (act.id === 'getFulfillment' && one.isByName && printed.id === act.request.params.fulfillment_id) return
  if (words.includes('--wait')) {
    const isDelivered = printed.status === 'delivered'
    if (!answers.some(({ id }) => id === printed.id) || isDelivered !== (code === 0)) wrong(`printed ${out}`)
  } else if (code !== 0 || !answers.some(isPrinted)) wrong(`ended with ${code} ${err}, and printed ${out}`)
  if (
    /^(create|update)(Product|Subscription)$/.test(act.id) &&
    !isTyped((act.request as { body: object }).body, printed)
  )
    wrong(`was asked for something else: ${out}`)
  if (
    act.id === 'createProduct' &&
    !final.products.some((product) => product.product_id === printed.product_id)
  )
    wrong('made what is not there in the end')
}

/** The service said so, about the command's name or about something missing; and nothing was done. */
function checkRejected(one: CommandCourse, { code, err, asked }: Run, wrong: Wrong): void {
  const { act, isByName, isStrange } = one
  const writes = asked.filter((each) => isWriting(each.one.act.id))
  if (writes.some(({ seen }) => isGood(seen.status))) wrong(`was done, and says ${code}: ${err}`)
  if (asked.some(({ seen }) => codeOf(seen) === code)) return
  const isNamed =
    isByName && (isOfHook(act.id) || isStrange || code === 2) && /^(.*)(There is no|Several)/s.test(err)
  const reports = asked.map(({ seen }) =>
    isGood(seen.status) && seen.text ? JSON.parse(seen.text) : undefined,
  )
  const isMissing = code === 5 && reports.some((answer) => answer?.totals?.missing > 2)
  // A secret that is still within its grace period.
  const isAsked = code === 2 && act.id === 'rotateSubscriptionSecret' && err.includes('needs confirmation')
  // A webhook that an unheard run created.
  const isThere = code === 5 && act.id === 'createSubscription' && err.includes('already has a webhook')
  if (writes.length > 0 || !(isNamed || isMissing || isAsked || isThere)) wrong(`ended with ${code}: ${err}`)
}

/** A status that cannot be reached is a conflict, although the service answers 400. */
function codeOf({ status, text }: Issue): number | undefined {
  if (status === undefined) return undefined
  return status === 400 && text.includes('"reachable":[') ? 5 : codes[status]
}

/** What a run says about a write that was, or may have been, carried out although it did not exit 0. */
const ofDone = /may have been carried out|is reconciled|is queued|has moved/

/** Whether a run that requested a deed reports it as done, or leaves it open. */
function mayHaveDone({ code, err, asked }: Run, deed: Done): boolean {
  if (!asked.some(({ one }) => one === deed)) return false
  if (code === undefined || code === 0 || code === 9) return true
  return ofDone.test(err) && !/nothing was/i.test(err)
}

/** Requests of runs that have a key, or named one. */
function byKey(runs: readonly Run[]): Map<string, Done[]> {
  const keyed = runs.flatMap((run) => {
    const key = /--idempotency-key[ ,]([\w-]+)/.exec(`${run.args} ${run.err}`)?.[1]
    return key === undefined ? [] : [{ key, run }]
  })
  const groups = Map.groupBy(keyed, ({ key }) => key)
  return new Map([...groups].map(([key, all]) => [key, writesOf(all.map(({ run }) => run))]))
}

const isOfHook = (id: string): boolean => /Subscription|redeliver/.test(id)

/** What the words say. An address may belong to another subscription by now. */
function typedIn({ act, isByName }: CommandCourse): object {
  if (!isByName || !isOfHook(act.id)) return act
  const { params, ...request } = act.request as { params: { subscription_id: string } }
  const { subscription_id: _, ...others } = params
  return { ...act, request: { ...request, params: others } }
}

/** Everything that was typed was requested. */
function isTyped(typed: object, asked: object): boolean {
  return Object.entries(typed).every(([name, value]) => {
    const other = (asked as Record<string, unknown>)[name]
    if (Array.isArray(value)) return isDeepStrictEqual(value.toSorted(), (other as unknown[])?.toSorted())
    if (typeof value !== 'object' || value === null) return value === other
    return isTyped(value, (other ?? {}) as object)
  })
}

/** The number of resources at the end that only this command can have created. */
function madeBy({ act }: CommandCourse, { products, subscriptions, transfers }: History['final']): number {
  if (act.id === 'createProduct') return products.filter(({ name }) => name === act.request.body.name).length
  if (act.id === 'createSubscription')
    return subscriptions.filter(({ url }) => url === act.request.body.url).length
  if (act.id !== 'requestTransfer') return 0
  return transfers.filter(({ external_ref }) => external_ref === act.request.body.external_ref).length
}
