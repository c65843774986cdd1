import { type Block, endedAt } from './blocks.ts'
import type { Act } from './making.ts'
import { type Model, type Resource, wasIn } from './model.ts'
import type { Done } from './run.ts'
import type { Step, WarehouseAct } from './warehouse.ts'

type Rule = {
  /** The events that it may emit. */
  leaves: RegExp
  /**
   * The kind of thing, and the statuses in which the step is never rejected; missing if the log does not say, because stages
   * emit no events.
   */
  of?: 'items' | 'orders' | 'transfers'
  from?: RegExp
}

/** Stages emit no events, so the log does not say whether the order had already passed one. */
const stage: Rule = { leaves: /^$/ }

/** The warehouse's commands, as the specification defines them (3.3, ruling 7). */
const rules: Readonly<Record<Step | 'intake', Rule>> = {
  intake: { leaves: /^item\.intake/ },
  digitize: { leaves: /^item\.status/, of: 'items', from: /^received$/ },
  store: { leaves: /^item\.status/, of: 'items', from: /^digitized$/ },
  pick: { leaves: /^fulfillment\.status/, of: 'orders', from: /^pending$/ },
  pack: stage,
  verify: stage,
  label: stage,
  queue: stage,
  ship: { leaves: /^(fulfillment|item)\.status/, of: 'orders', from: /^processing$/ },
  deliver: { leaves: /^(fulfillment|item)\.status/, of: 'orders', from: /^shipped$/ },
  return: {
    leaves: /^(fulfillment\.(status|returned)|item\.(status|intake))/,
    of: 'orders',
    from: /^(shipped|delivered)$/,
  },
  issue: {
    leaves: /^fulfillment\.(status|issue)/,
    of: 'orders',
    from: /^(pending|processing|shipped)$/,
  },
  'resolve-issue': { leaves: /^fulfillment\.status/, of: 'orders', from: /^exception$/ },
  complete: { leaves: /^(transfer\.completed|item\.status)/, of: 'transfers', from: /^requested$/ },
  decline: { leaves: /^(transfer\.declined|item\.status)/, of: 'transfers', from: /^requested$/ },
}

export const mayLeave = ({ request }: WarehouseAct): RegExp => rules[request.step].leaves

/** The orders reported as picked, and when; from then on none can be cancelled (3.4). */
export function pickedBy(done: readonly Done[]): Map<string, number> {
  const picked = new Map<string, number>()
  for (const one of done)
    for (const name of pickedNames(one.act))
      picked.set(name, Math.min(endedAt(one), picked.get(name) ?? Number.POSITIVE_INFINITY))
  return picked
}

function pickedNames(act: Act): readonly string[] {
  if (act.id === 'warehouse') return act.request.step === 'pick' ? act.request.names : []
  const isPick = act.id === 'advanceFulfillment' && act.request.body.to_stage !== undefined
  return isPick ? [act.request.params.fulfillment_id] : []
}

/** All or nothing: each answered document is in the log, except for stages, and nothing was left out. */
export function explainStep(
  { request }: WarehouseAct,
  text: string,
  block: Block | undefined,
  wrong: (what: string) => void,
): void {
  const answer = JSON.parse(text)
  const logged = (block?.events ?? []).map(({ data }) => JSON.stringify(data))
  if (request.step === 'intake') {
    if (JSON.stringify(answer.intakes) !== `[${logged}]`) wrong('answered other intakes than the log has')
    if (answer.intakes.length !== request.arrivals.length) wrong('lost an item')
    return
  }
  const { step, names } = request
  const { of } = rules[step]
  for (const [at, doc] of answer.entries()) {
    if ((doc.qid ?? doc.id) !== names[at]) wrong(`answered ${doc.qid ?? doc.id} for ${names[at]}`)
    if (of && !stages[step] && !logged.includes(JSON.stringify(doc)))
      wrong(`answered ${JSON.stringify(doc)}, but the log has not`)
    if (stages[step] && doc.processing_stage !== stages[step]) wrong(`left the order ${doc.processing_stage}`)
  }
}

const stages: Partial<Record<Step, string>> = {
  pick: 'picked',
  pack: 'packed',
  verify: 'verified',
  label: 'labeled',
  queue: 'queued_for_carrier',
}

/** Whether one of the things had, in between, a status in which the step is rejected. */
export function explainsRejection(
  { request }: WarehouseAct,
  place: readonly [number, number],
  model: Model,
): boolean {
  if (request.step === 'intake') return false
  const { of, from } = rules[request.step]
  if (!of || !from) return true
  const all: ReadonlyMap<string, Resource> = model[of]
  return request.names.some((name) => wasIn(all.get(name), place, ({ status }) => !from.test(status)))
}
