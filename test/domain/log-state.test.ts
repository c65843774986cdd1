import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { events } from '../../src/contract/document/examples/examples.ts'
import { webhookEvents, webhookEventTypes } from '../../src/contract/enums.ts'
import type { WebhookEvent } from '../../src/contract/resources/event.ts'
import {
  addEvent,
  addLink,
  differencesOf,
  emptyLog,
  itemOf,
  parseStatement,
  statementOf,
} from '../../src/domain/items/log-state.ts'

const item = (qid: string, status: string) => ({ qid, status, name: qid, sku: 'S', intake_at: '2026-01-01' })
const event = (no: number, type: string, data: unknown) =>
  ({ id: `id-${no}`, created_at: `2026-01-0${no}`, type, data }) as unknown as WebhookEvent
const log = [
  event(1, 'item.intake.completed', { qid: 'Q-1', item: item('Q-1', 'received') }),
  event(2, 'item.intake.completed', { qid: 'Q-2', item: item('Q-2', 'received') }),
  event(3, 'item.status.changed', item('Q-1', 'delivered')),
  event(4, 'item.status.changed', item('Q-2', 'in_transit')),
]

function stateOf(events: readonly WebhookEvent[]) {
  const state = emptyLog()
  for (const one of events) {
    addEvent(state, one)
    addLink(state, JSON.stringify(one))
  }
  return state
}

test.each(webhookEventTypes)('%s changes the item that its data has, if any', (type) => {
  const { data } = webhookEvents[type]
  expect(itemOf(events[type]) !== undefined).toBe(data === 'intake' || data === 'item')
})

test('a statement contains what is in custody, and the chain of every earlier event', () => {
  let chain = '0'.repeat(64)
  for (const one of log) chain = hash('sha256', `${chain}\n${JSON.stringify(one)}\n`)
  const statement = statementOf('2026-01-05', stateOf(log))
  expect(statement).toMatchObject({ total: 1, by_status: { in_transit: 1 }, items: [{ qid: 'Q-2' }] })
  expect(statement.events).toEqual({ count: 4, last_id: 'id-4', last_created_at: '2026-01-04', chain })
  expect(parseStatement(`\ufeff${JSON.stringify(statement)}`)).toEqual(statement)
  expect(differencesOf(statement, stateOf(log))).toEqual([])
})

test('a status may have a name that every object has', () => {
  const events = [event(1, 'item.intake.completed', { qid: 'Q-1', item: item('Q-1', 'constructor') })]
  const statement = statementOf('2026-01-05', stateOf(events))
  expect(statement.by_status).toEqual({ constructor: 1 })
  const fact = 'by_status.constructor'
  expect(differencesOf(statement, stateOf([]))).toContainEqual({ fact, statement: '1', log: '0' })
})

test.each([
  ['missing', [log[0]!, log[2]!, log[3]!]],
  ['repeated', [log[0]!, log[1]!, log[1]!, log[2]!, log[3]!]],
  ['in another order', [log[1]!, log[0]!, log[2]!, log[3]!]],
  ['altered', [log[0]!, { ...log[1]!, created_at: '2026-01-03' }, log[2]!, log[3]!]],
])('an event that is %s changes the chain', (_, events) => {
  const facts = differencesOf(statementOf('2026-01-05', stateOf(log)), stateOf(events)).map(
    ({ fact }) => fact,
  )
  expect(facts).toContain('events.chain')
})

test('an item listed twice is a difference', () => {
  const statement = statementOf('2026-01-05', stateOf(log))
  const twice = { ...statement, items: [...statement.items, ...statement.items] }
  expect(differencesOf(twice, stateOf(log))).toEqual([{ fact: 'items', statement: '2', log: '1' }])
})

test.each([
  ['2026-01-03', 'before 2026-01-03'],
  ['2026-01-01', 'not before 2026-01-02'],
  ['2026-01-02', undefined],
])(
  'a statement of the first two events with the time %s is compared with the adjacent events',
  (at, contradiction) => {
    const statement = statementOf(at, stateOf(log.slice(0, 2)))
    const state = stateOf(log.slice(0, 2))
    expect(addEvent(state, log[2]!, 'id-2')).toBe(false)
    expect(differencesOf(statement, state)).toEqual(
      contradiction === undefined ? [] : [{ fact: 'at', statement: at, log: contradiction }],
    )
  },
)

test.each([
  ['2026-01-04', undefined],
  ['2026-01-05', 'not after 2026-01-03'],
])(
  'a statement at %s is verified on a machine whose clock is behind the log, unless it is after the log too',
  (at, contradiction) => {
    const differences = differencesOf(statementOf(at, stateOf(log)), stateOf(log), { now: '2026-01-03' })
    expect(differences).toEqual(
      contradiction === undefined ? [] : [{ fact: 'at', statement: at, log: contradiction }],
    )
  },
)

const [first, second] = log as [WebhookEvent, WebhookEvent]
const alsoSecond = { ...log[2]!, created_at: second.created_at }

/** The log up to the statement's last event, and the event after it. */
const twoOf = (next: WebhookEvent) => {
  const state = stateOf([first, second])
  addEvent(state, next, second.id)
  return state
}
const atTimeOf = (at: string | undefined) => statementOf(at, stateOf([first, second]))

test('a statement as of its last event agrees if the next event has the same time', () => {
  const statement = atTimeOf(undefined)
  expect(statement).toMatchObject({ at: second.created_at, as_of: 'last_event' })
  expect(differencesOf(statement, twoOf(alsoSecond))).toEqual([])
  expect(differencesOf(statement, twoOf(log[2]!))).toEqual([])
})

test('a statement of a time has all events of that time', () => {
  const { created_at: at } = second
  expect(differencesOf(atTimeOf(at), twoOf(alsoSecond))).toEqual([
    { fact: 'at', statement: at, log: `before ${at}` },
  ])
})

test.each(['2026-01-01', '2026-01-05'])('a statement as of its last event has its time, not %s', (at) => {
  const statement = { ...atTimeOf(undefined), at }
  expect(differencesOf(statement, twoOf(log[2]!))).toEqual([
    { fact: 'at', statement: at, log: second.created_at },
  ])
})

test('a statement as of its last event must have one', () => {
  const statement = { ...statementOf('2026-01-05', emptyLog()), as_of: 'last_event' as const }
  const state = emptyLog()
  addEvent(state, first, null)
  expect(differencesOf(statement, state)).toEqual([
    { fact: 'at', statement: '2026-01-05', log: `before ${first.created_at}` },
  ])
})
