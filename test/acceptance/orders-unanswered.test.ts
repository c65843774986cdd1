import { copyFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { onBadMachine } from '../support/bad-machine.ts'
import { type Behind, serveBehindGateway } from '../support/holding-gateway.ts'
import { newOperator, type Operator, type RunOptions } from '../support/operator.ts'
import { counts, orderedSku, orderFile, recipients } from '../support/order-files.ts'
import { ageNotes, eightDaysLater, forgetResults, rewriteNotes } from '../support/passed-time.ts'

let operator: Operator
let sku: string

beforeEach(async () => {
  operator = await newOperator()
  sku = await orderedSku(operator)
})
afterEach(() => operator.leave())

describe('orders that were sent over HTTP and never answered, with the file changed then', () => {
  let { served, gateway, env, stop } = {} as Behind

  beforeEach(async () => {
    ;({ served, gateway, env, stop } = await serveBehindGateway(operator))
  })
  afterEach(() => stop())

  test('were carried out: they are known, and only what is new is ordered', async () => {
    await lose(['Ann', 'Bob'], 'at once')
    const changed = await importOrders(['Zoe', 'Ann', 'Bob'], [], { env })
    expect(counts(changed)).toEqual([0, 1, 0, 2])
    expect(changed.stderr).toMatch(
      /^Of 2 rows of day\.csv that were sent on 20\S+Z and not answered, 2 were ordered\.$/m,
    )
    expect(recipients(served.database)).toEqual(['Ann', 'Bob', 'Zoe'])
    expect(unanswered()).toEqual([])
  })

  test('never came to the service: nothing of them is ordered as it was, not even if they come late', async () => {
    const { pass } = await lose(['Ann', 'Bod'], 'later')
    const tried = await importOrders(['Ann', 'Bob'], ['--dry-run'], { env })
    expect(tried.stderr).toContain(
      'has sent orders that were not answered: before this file is sent, that is found out',
    )
    const changed = await importOrders(['Ann', 'Bob'], [], { env })
    expect([...counts(changed), changed.stderr]).toEqual([
      0,
      2,
      0,
      0,
      expect.stringContaining('none was ordered, and none will be.'),
    ])
    const { headers } = await pass()
    expect(headers.get('idempotency-mismatch')).toBe('true')
    expect(recipients(served.database)).toEqual(['Ann', 'Bob'])
    // The old file once more is no going on: what was ordered meanwhile is known.
    const old = await importOrders(['Ann', 'Bod'], ['--resume'], { env })
    expect([...counts(old), old.stderr]).toEqual([0, 1, 0, 1, expect.stringContaining('compared anew')])
    expect(recipients(served.database)).toEqual(['Ann', 'Bob', 'Bod'])
  })

  test('a day later nobody can tell: rows that may be ordered fail and say what to do, the others are sent', async () => {
    await lose(['Ann', 'Bob'], 'at once')
    ageNotes(operator, 30)
    for (const flags of [[], ['--resume']]) {
      const rows = flags.length === 0 ? ['Ann', 'Cid'] : ['Ann', 'Bob']
      const refused = await importOrders(rows, flags, { env })
      expect(counts(refused).slice(0, 3)).toEqual(flags.length === 0 ? [9, 1, 1] : [6, 0, 2])
      expect(refused.stderr).toMatch(
        /row 1, line 2 {2}sku "\S+" may have been ordered on 20\S+Z by an import of day\.csv of which no answer came: look for it with custody fulfillments ls, and order it with --again/,
      )
    }
    // That it was refused in a run that sent nothing of it tells nothing of then.
    expect(counts(await importOrders(['Bob'], [], { env }, 'failed.csv')).slice(0, 3)).toEqual([6, 0, 1])
    expect(counts(await importOrders(['Ann'], ['--again'], { env }))).toEqual([0, 1, 0, 0])
    expect(recipients(served.database)).toEqual(['Ann', 'Ann', 'Bob', 'Cid'])
  })

  test('stay in doubt after an import of the same bytes with a key of its own', async () => {
    await lose(['Ann', 'Bob'], 'at once')
    ageNotes(operator, 30)
    const own = ['--idempotency-key', 'k2']
    expect(counts(await importOrders(['Ann', 'Bob'], own, { env })).slice(0, 3)).toEqual([6, 0, 2])
    expect(counts(await importOrders(['Bob'], [], { env }, 'failed.csv')).slice(0, 3)).toEqual([6, 0, 1])
    expect(recipients(served.database)).toEqual(['Ann', 'Bob'])
  })

  test('by a clock that was days ahead stay in doubt when that time has come, whatever the service has forgotten by then', async () => {
    await lose(['Ann', 'Bob'], 'at once')
    ageNotes(operator, -72)
    for (const [hours, name] of [
      [0, 'Cid'],
      [73, 'Dan'],
    ] as const) {
      forgetResults(served.database)
      ageNotes(operator, hours)
      const late = await importOrders(['Ann', 'Bob', name], [], { env })
      expect(late.stderr).toMatch(/may have been ordered (on 20\S+|at a time that is not known) by an import/)
    }
    expect(recipients(served.database)).toEqual(['Ann', 'Bob', 'Cid', 'Dan'])
  })

  test('of a file whose first part the service has lost since have a new key', async () => {
    const rows = ['Ann', ...Array.from({ length: 4999 }, () => ''), 'Bob']
    await importOrders(rows, [], { env })
    rewriteNotes(operator, (text) => text.replace(/\n+\{"chunk":2[\s\S]*/, '\n'))
    forgetResults(served.database)
    const { pass } = await lose(rows, 'later', ['--resume'])
    rewriteNotes(operator, (text) =>
      text.replace(/"made":"[^"]+"/, '"made":"ffffffff-0000-7000-8000-000000000000"'),
    )
    const again = await importOrders(rows, ['--resume'], { env })
    expect(counts(again).slice(0, 3)).toEqual([9, 2, 4999])
    await pass()
    expect(recipients(served.database)).toEqual(['Ann', 'Ann', 'Bob', 'Bob'])
  })

  test.each<[number, string]>([
    [400, 'validation_error'],
    [401, 'invalid_api_key'],
    [429, 'rate_limited'],
    [503, 'internal_error'],
  ])('were refused with %i before anything was done: a day later they are ordered', async (status, code) => {
    refuse(status, { code, extra: {} })
    await importOrders(['Ann', 'Bob'], ['--max-wait', '0'], { env })
    expect(unanswered()).toEqual([])
    ageNotes(operator, 30)
    expect(counts(await importOrders(['Ann', 'Bob', 'Cid'], [], { env }))).toEqual([0, 3, 0, 0])
  })

  test.each<[status: number, body: object | undefined]>([
    [400, { extra: { fields: { 'Idempotency-Key': ['is that of a request that was cut off'] } } }],
    [409, { extra: {} }],
    [500, { extra: {} }],
    [502, undefined],
    [503, { extra: { outcome: 'unknown' } }],
    [503, undefined],
  ])('were answered with %i %j, which leaves them in doubt', async (status, body) => {
    refuse(status, body)
    await importOrders(['Ann', 'Bob'], ['--max-wait', '0'], { env })
    expect(unanswered()).toHaveLength(1)
  })

  test('and refused since stay in doubt, since when they were sent first', async () => {
    await lose(['Ann', 'Bob'], 'at once')
    for (const hours of [12, 12]) {
      ageNotes(operator, hours)
      refuse(503, { extra: {} })
      await importOrders(['Ann', 'Bob'], ['--resume', '--max-wait', '0'], { env })
    }
    const late = await importOrders(['Ann', 'Bob'], ['--resume'], { env })
    expect([counts(late).slice(0, 3), recipients(served.database)]).toEqual([
      [6, 0, 2],
      ['Ann', 'Bob'],
    ])
  })

  test('before the key was changed are found out with the new one, and forgotten then; long after nobody can tell', async () => {
    const rows = ['Ann', ...Array.from({ length: 4999 }, () => ''), 'Bob']
    await importOrders(rows, [], { env })
    rewriteNotes(operator, (text) => text.replace(/\n+\{"chunk":2[\s\S]*/, '\n'))
    await lose(rows, 'at once', ['--resume'])
    expect(unanswered()).toHaveLength(1)
    await changeKey()
    await importOrders(rows, ['--resume'], { env })
    expect(unanswered()).toEqual([])
    await lose(['Cid', 'Dan'], 'at once')
    await changeKey()
    eightDaysLater(operator, served.database)
    expect(counts(await importOrders(['Cid', 'Dan'], [], { env })).slice(0, 3)).toEqual([6, 0, 2])
    expect(recipients(served.database)).toEqual(['Ann', 'Bob', 'Cid', 'Dan'])
  })

  async function changeKey(): Promise<void> {
    const create = ['admin', 'keys', 'create', 'Sandbox', '--environment', 'sandbox']
    const { key } = await operator.json<{ key: string }>([...create, '--database', served.database])
    env.CUSTODY_API_KEY = key
  }

  /** The gateway says it to the next import; `body`: of an Error of the service itself, else the page of a proxy. */
  function refuse(status: number, body: object | undefined): void {
    const headers = new Headers(body && { 'x-request-id': 'r-1', 'content-type': 'application/json' })
    const error = { code: 'internal_error', message: 'Refused.', ...body }
    gateway.refuse('/fulfillments/csv', { status, headers, body: body ? JSON.stringify(error) : '<html>' })
  }

  /** An import that is killed while it waits for its answer. */
  async function lose(names: readonly string[], passed: 'at once' | 'later', flags: readonly string[] = []) {
    const holding = gateway.hold('/fulfillments/csv')
    const child = start(names, flags)
    const { pass } = await holding
    if (passed === 'at once') await pass()
    child.kill('SIGKILL')
    await child
    return { pass }
  }

  function start(names: readonly string[], flags: readonly string[] = []) {
    operator.write('day.csv', orderFile(sku, names))
    return operator.start(['fulfillments', 'import', 'day.csv', ...flags], { env })
  }
})

test('orders for an own database that is locked are not sent: a day later they are ordered', async () => {
  const other = new DatabaseSync(operator.database)
  other.exec('begin immediate')
  expect((await importOrders(['Ann'], ['--max-wait', '0'])).exitCode).toBe(8)
  other.exec('rollback')
  other.close()
  expect(unanswered()).toEqual([])
  ageNotes(operator, 30)
  expect(counts(await importOrders(['Ann']))).toEqual([0, 1, 0, 0])
})

describe('an import of an own database that is killed between any two steps, with the file changed then', {
  timeout: 240_000,
}, () => {
  test('orders every row once', async () => {
    copyFileSync(operator.database, operator.path('before.db'))
    let kills = 0
    for (let at = 1; ; at++) {
      afresh()
      const killed = await importOrders(['Ann', 'Bob'], [], { env: killedAt(at) })
      if (killed.exitCode === 0) break
      kills += 1
      expect(counts(await importOrders(['Zoe', 'Ann', 'Bob']))[0]).toBe(0)
      expect([at, recipients(operator.database)]).toEqual([at, ['Ann', 'Bob', 'Zoe']])
      expect(unanswered()).toEqual([])
    }
    expect(kills).toBeGreaterThan(5)
  })

  test('and killed between any two steps of finding that out, orders every row once', async () => {
    const noting = onBadMachine({ call: 'openSync a', path: '.jsonl', how: 'SIGKILL' })
    await importOrders(['Ann', 'Bob'], [], { env: noting })
    expect(unanswered()).toHaveLength(1)
    copyFileSync(operator.database, operator.path('before.db'))
    const kept = new Map(stateFiles().map((name) => [name, operator.read(name)]))
    let kills = 0
    for (let at = 1; ; at++) {
      afresh()
      for (const [name, text] of kept) operator.write(name, text)
      const killed = await importOrders(['Zoe', 'Ann', 'Bob'], [], { env: killedAt(at) })
      if (killed.exitCode === 0) break
      kills += 1
      expect(counts(await importOrders(['Ann', 'Bob', 'Zoe', 'Zed']))[0]).toBe(0)
      expect([at, recipients(operator.database)]).toEqual([at, ['Ann', 'Bob', 'Zed', 'Zoe']])
    }
    expect(kills).toBeGreaterThan(5)
  })

  function afresh(): void {
    for (const name of stateFiles()) rmSync(operator.path(name))
    copyFileSync(operator.path('before.db'), operator.database)
    for (const end of ['-wal', '-shm']) rmSync(`${operator.database}${end}`, { force: true })
  }
})

/** When the file or folder number `at` that is to be kept there is as it will be: the process dies as it asks for it to be on the disk. */
function killedAt(at: number): Record<string, string> {
  return onBadMachine({ call: 'f', path: 'state/custody/', at, how: 'SIGKILL' })
}

function stateFiles(): string[] {
  const folder = operator.path('state/custody/imports')
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((name) => `state/custody/imports/${name}`)
}

function unanswered(): string[] {
  return stateFiles().filter((name) => name.endsWith('.unanswered'))
}

function importOrders(
  names: readonly string[],
  flags: readonly string[] = [],
  options: RunOptions = {},
  file = 'day.csv',
) {
  operator.write(file, orderFile(sku, names))
  return operator.run(['fulfillments', 'import', file, ...flags], options)
}
