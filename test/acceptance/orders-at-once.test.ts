import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Behind, serveBehindGateway } from '../support/holding-gateway.ts'
import { newOperator, type Operator } from '../support/operator.ts'
import { counts, orderedSku, orderFile, recipients } from '../support/order-files.ts'

let operator: Operator
let sku: string
let { served, gateway, env, stop } = {} as Behind

beforeEach(async () => {
  operator = await newOperator()
  sku = await orderedSku(operator)
  ;({ served, gateway, env, stop } = await serveBehindGateway(operator))
})
afterEach(async () => {
  await stop()
  operator.leave()
})

const isSent = '/fulfillments/csv'
const withRefs = (name: string): string => `REF-${name}`

describe('two files with the same row at once', () => {
  test.each([
    ['without references', undefined],
    ['with references', withRefs],
  ])('%s, from one machine: the second waits for the first, and orders what is left', async (_, refOf) => {
    operator.write('day.csv', orderFile(sku, ['Ann', 'Bob'], refOf))
    operator.write('other.csv', orderFile(sku, ['Ann', 'Cid'], refOf))
    const holding = gateway.hold(isSent)
    const first = operator.start(['fulfillments', 'import', 'day.csv'], { env })
    const { pass } = await holding
    const second = operator.start(['fulfillments', 'import', 'other.csv'], { env })
    const waiting = new Promise<void>((isSaid) =>
      second.stderr?.on('data', (text) => {
        if (String(text).includes('by another process: waiting for it to end.')) isSaid()
      }),
    )
    await Promise.race([waiting, second])
    await pass(true)
    expect(counts(await first)).toEqual([0, 2, 0, 0])
    expect(counts(await second)).toEqual([0, 1, 0, 1])
    expect(recipients(served.database)).toEqual(['Ann', 'Bob', 'Cid'])
  })
})

describe('one file from two machines at once, of which a row is ordered already', () => {
  test('orders each row once: what comes late is refused, and said to be compared again', async () => {
    operator.write('day.csv', orderFile(sku, ['Ann', 'Bob'], withRefs))
    operator.write('ann.csv', orderFile(sku, ['Ann'], withRefs))
    const otherMachine = { env: { ...env, XDG_STATE_HOME: operator.path('other-state') } }
    const holding = gateway.hold(isSent)
    const first = operator.start(['fulfillments', 'import', 'day.csv'], { env })
    const { pass } = await holding
    await operator.run(['fulfillments', 'import', 'ann.csv'], otherMachine)
    const second = await operator.run(['fulfillments', 'import', 'day.csv'], otherMachine)
    expect(counts(second)).toEqual([0, 1, 0, 1])
    await pass(true)
    const { exitCode, stderr } = await first
    expect([exitCode, stderr]).toEqual([
      5,
      expect.stringContaining('day.csv was imported from another machine meanwhile.'),
    ])
    expect(counts(await operator.run(['fulfillments', 'import', 'day.csv'], { env }))).toEqual([0, 0, 0, 2])
    expect(recipients(served.database)).toEqual(['Ann', 'Bob'])
  })

  test('has the result of what was sent before, where that came first', async () => {
    operator.write('day.csv', orderFile(sku, ['Ann', 'Bob'], withRefs))
    const holding = gateway.hold(isSent)
    const first = operator.start(['fulfillments', 'import', 'day.csv'], { env })
    const { pass } = await holding
    await pass()
    first.kill('SIGKILL')
    await first
    const otherMachine = { env: { ...env, XDG_STATE_HOME: operator.path('other-state') } }
    expect(counts(await operator.run(['fulfillments', 'import', 'day.csv'], otherMachine))).toEqual([
      0, 0, 0, 2,
    ])
    expect(counts(await operator.run(['fulfillments', 'import', 'day.csv'], { env }))).toEqual([0, 2, 0, 0])
    expect(recipients(served.database)).toEqual(['Ann', 'Bob'])
  })
})
