import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOwnSubject } from '../../src/cli/commands/conformance/own-subject.ts'
import { entries } from '../../src/conformance/entries.ts'
import { examine, type Finding } from '../../src/conformance/run.ts'
import { openWorld, type World } from '../../src/conformance/world.ts'
import type { Call, Reply, Transport } from '../../src/contract/call.ts'
import type { Opened } from './subjects.ts'

type Fault = (service: Transport) => Transport

/** Services with one fault each, and the clause that must detect it. */
const faults: ReadonlyArray<[fault: string, clause: string, make: Fault]> = [
  ['a required key is missing', '2.1-1', body('submitManifest', without('line_count'))],
  ['a nullable key is left out', '2.5-1', body('getItem', without('external_ref'))],
  ['a number is sent as text', '2.9-1', results('listInventory', put('on_hand', '0'))],
  [
    'a time has no milliseconds',
    'D2-2',
    body('createProduct', (product) => {
      product.updated_at = String(product.updated_at).replace(/\.\d+Z$/, 'Z')
    }),
  ],
  ['a field is made up', '2.8-1', body('requestTransfer', put('price', 1))],
  ['a status is unknown', '2.7-1', body('createFulfillment', put('status', 'new'))],
  ['a list is oldest first', '4.1-8', list('listManifests', (found) => found.toReversed())],
  [
    'a filter is ignored',
    '4.3-2',
    asks((call) => ({ ...call, query: call.query.filter(([name]) => name !== 'status') })),
  ],
  [
    'a key is used once only',
    '4-4',
    asks((call) => ({ ...call, headers: { ...call.headers, 'idempotency-key': randomUUID() } })),
  ],
  [
    'a body is not looked at',
    '4.7-7',
    asks((call) =>
      call.operation === 'updateSubscription'
        ? { ...call, body: async () => ({ kind: 'json', text: '{}' }) }
        : call,
    ),
  ],
  [
    'unknown parameters are passed over',
    'D3-4',
    asks((call) => ({ ...call, query: call.query.filter(([name]) => name === 'page') })),
  ],
  [
    'stages are passed over',
    '3.4-2',
    asks((call) =>
      call.operation === 'advanceFulfillment'
        ? { ...call, body: async () => ({ kind: 'json', text: '{"to_status":"processing"}' }) }
        : call,
    ),
  ],
  ['the total is that of the page', '2.13-1', body('listManifests', put('total', 2))],
  [
    'links lose their filters',
    'D3-14',
    body('listManifests', (page) => {
      if (page.next) page.next = String(page.next).replace(/reference=[^&]*/, 'x=1')
    }),
  ],
  ['a replay says nothing of it', 'D4-3', headersWithout('idempotency-replayed')],
  [
    'a key is not needed',
    '4-1',
    answers((reply) => (reply.status === 401 ? { ...reply, status: 404 } : reply)),
  ],
  [
    'a rejection has another code',
    '7-4',
    body('createProduct', (rejection) => {
      if (rejection.code === 'state_conflict') rejection.code = 'validation_error'
    }),
  ],
  ['an error has no extra', '2.12-1', body('getProduct', without('extra'))],
  [
    'another partner gets another 404',
    '5-5',
    body('getManifest', (rejection) => {
      if (rejection.code === 'not_found') rejection.message = `No such resource ${Math.random()}.`
    }),
  ],
  ['an event is lost', '3.1-3', list('listEvents', (found) => found.slice(0, -1))],
  ['events come backwards', '6-7', list('listEvents', (found) => found.toReversed())],
  ['there is no request id', 'D3-11', headersWithout('x-request-id')],
  [
    'an answer is no JSON',
    '4.5-2',
    answers((reply, call) => (call.operation === 'getTransfer' ? { ...reply, body: '<p>' } : reply)),
  ],
  [
    'repeats are not looked for',
    'D13-1',
    asks((call) => ({ ...call, headers: { ...call.headers, 'custody-repeats': undefined } })),
  ],
  ['a repeated order is answered 200 without saying so', 'D13-8', headersWithout('custody-repeated')],
  [
    'a status is not documented',
    '4.2-1',
    answers((reply, call) => (call.operation === 'createProduct' ? { ...reply, status: 202 } : reply)),
  ],
]

describe('conformance notices a fault of a service', () => {
  let own: Opened
  let sound: World
  beforeAll(async () => {
    own = await openOwnSubject()
    sound = await openWorld(own.subject)
  })
  afterAll(() => own.close())

  test.each(faults)('%s: %s fails', async (_, clause, make) => {
    const { subject } = own
    const faulty = await openWorld({ ...subject, transport: make(subject.transport) })
    const finding = await findingOf(faulty, clause)
    expect(finding.verdict).toBe('FAILED')
    expect(finding.seen).not.toBe('')
    expect((await findingOf(sound, clause)).verdict).toBe('ok')
  })

  test('an empty service meets only clauses that a 404 and a document meet', async () => {
    const dead = { ...own.subject, transport: nothing(own), limited: undefined, production: undefined }
    const world = await openWorld(dead)
    const findings: Finding[] = []
    for (const entry of entries) findings.push(await examine(world, entry))
    const met = findings.filter(({ verdict }) => verdict === 'ok').map(({ clause }) => clause)
    expect(met).toEqual(['3.1-7', '7-3', 'D10-15'])
  })
})

function findingOf(world: World, clause: string): Promise<Finding> {
  const entry = entries.find((each) => each.clause === clause)
  return examine(world, entry!)
}

/** Answers only the document and the clock, with which a run begins. */
function nothing({ subject }: Opened): (call: Call) => Promise<Reply> {
  return async (call) => {
    if (call.operation === 'getOpenApi' || call.operation === 'getClock') return subject.transport(call)
    const headers = { 'content-type': 'application/json', 'x-request-id': 'r' }
    return { status: 404, headers, body: '{"code":"not_found","message":"No such resource.","extra":{}}' }
  }
}

type Body = Record<string, unknown>

function asks(change: (call: Call) => Call): Fault {
  return (service) => (call) => service(change(call))
}

function answers(change: (reply: Reply, call: Call) => Reply): Fault {
  return (service) => async (call) => change(await service(call), call)
}

function headersWithout(name: string): Fault {
  return answers(({ headers: { [name]: _, ...headers }, ...reply }) => ({ ...reply, headers }))
}

function body(id: Call['operation'], change: (body: Body) => void): Fault {
  return answers((reply, call) => {
    if (call.operation !== id) return reply
    const value = JSON.parse(reply.body) as Body
    change(value)
    return { ...reply, body: JSON.stringify(value) }
  })
}

function list(id: Call['operation'], change: (results: Body[]) => Body[]): Fault {
  return body(id, (page) => {
    if (page.results) page.results = change(page.results as Body[])
  })
}

function results(id: Call['operation'], change: (result: Body) => void): Fault {
  return body(id, (page) => {
    for (const result of page.results as Body[]) change(result)
  })
}

function without(name: string): (body: Body) => void {
  return (value) => {
    delete value[name]
  }
}

function put(name: string, value: unknown): (body: Body) => void {
  return (into) => {
    into[name] = value
  }
}
