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
    await Promise.race([isSaid(second, 'by another process: waiting for it to end.'), second])
    await pass(true)
    expect(counts(await first)).toEqual([0, 2, 0, 0])
    expect(counts(await second)).toEqual([0, 1, 0, 1])
    expect(recipients(served.database)).toEqual(['Ann', 'Bob', 'Cid'])
  })
})

test('one order typed twice at once is made once: the second waits for the first', async () => {
  const to = ['--recipient-name', 'Ann', '--street', '1 Unanswered Way', '--city', 'New York']
  const where = [...to, '--state', 'NY', '--zip', '10001', '--country', 'US', '--external-ref', 'WEB-1']
  const create = ['fulfillments', 'create', '--sku', sku, '--quantity', '1', ...where]
  const holding = gateway.hold('/fulfillments')
  const first = operator.start(create, { env })
  const { pass } = await holding
  const second = operator.start(create, { env })
  await Promise.race([isSaid(second, 'An order WEB-1 is being sent by another process'), second])
  await pass(true)
  expect([(await first).exitCode, await second]).toMatchObject([
    0,
    { exitCode: 5, stderr: expect.stringContaining('WEB-1 was ordered just so before') },
  ])
  expect(recipients(served.database)).toEqual(['Ann'])
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

function isSaid({ stderr }: ReturnType<Operator['start']>, words: string): Promise<void> {
  return new Promise((resolve) =>
    stderr?.on('data', (text) => {
      if (String(text).includes(words)) resolve()
    }),
  )
}
