import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import { newOperator, type Operator, type Ran } from '../support/operator.ts'
import { copyToPostgres } from '../support/postgres-schema.ts'
import { type Served, serve } from '../support/served.ts'
import { isLong } from '../support/soak.ts'

const header = 'sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
const shopify =
  'Name,Financial Status,Lineitem quantity,Lineitem name,Lineitem sku,Shipping Name,Shipping Address1,Shipping City,Shipping Zip,Shipping Province,Shipping Country'

/** One product with plenty of stock, and one that is scarce. */
const sku = 'SUP-TOP-35'
const scarce = 'PKM-PRE-ETB'
const scarceUnits = 8
const plenty = 'SUP-OT-35'
const other = 'TOP-CHR-24-HOB'

/** Each transport and each database; a soak has the other two pairs too. */
const ways = ['embedded', 'over HTTP, in PostgreSQL']
if (isLong) ways.push('over HTTP', 'embedded in PostgreSQL')

describe.each(ways)('repeated work, %s', (how) => {
  let host: Operator
  let served: Served | undefined
  let env: Record<string, string>
  let files = 0
  let operator: Operator
  beforeAll(async () => {
    host = await newOperator('seeded')
    const at = how.endsWith('PostgreSQL') ? await copyToPostgres(host) : host.database
    served = how.startsWith('over HTTP') ? await serve(host, { isOwn: true, at }) : undefined
    env = served ? { ...served.env, CUSTODY_DATABASE: '' } : { CUSTODY_DATABASE: at }
  }, 60_000)
  afterAll(async () => {
    await served?.stop()
    host.leave()
  })
  /** Each test is another machine. */
  beforeEach(async () => {
    operator = await newOperator('none')
    return () => operator.leave()
  })

  test('the same file again orders nothing, from any machine and to any address of the service', async () => {
    const rows = [order(sku, 'A-1'), order(sku, 'A-2')]
    expect(await importOrders(rows)).toEqual({ exit: 0, created: 2, failed: 0, same: 0 })
    const other = await newOperator('none')
    const url = served?.baseUrl.replace('127.0.0.1', 'localhost')
    const there = { ...env, ...(url && { CUSTODY_BASE_URL: url }) }
    expect(await importOrders(rows, { from: other, env: there })).toEqual({
      exit: 0,
      created: 0,
      failed: 0,
      same: 2,
    })
    other.leave()
    expect(await lists([...rows, order(plenty, 'A-3')])).toBe(0)
    expect(await lists(rows)).toBe(2)
    expect(await importOrders([order(plenty, 'A-4'), ...rows])).toEqual({
      exit: 0,
      created: 1,
      failed: 0,
      same: 2,
    })
  })

  test('two equal rows fail and name each other; with a higher quantity or --combine they are one order', async () => {
    const rows = [order(scarce, 'B-1'), order(scarce, 'B-1')]
    const result = await run(['fulfillments', 'import', write(rows)])
    expect([result.exitCode, result.stderr]).toEqual([
      6,
      expect.stringMatching(
        /is also in row 2, line 3: add up equal rows with --combine, or, if none was ordered, give/,
      ),
    ])
    expect(await importOrders(rows, { flags: ['--combine'] })).toEqual({
      exit: 0,
      created: 2,
      failed: 0,
      same: 0,
    })
    expect((await orders('B-1')).map(({ qids }) => qids.length)).toEqual([2])
    expect(await importOrders(rows, { flags: ['--combine'] })).toEqual({
      exit: 0,
      created: 0,
      failed: 0,
      same: 2,
    })
  })

  test('rows that failed for lack of stock are ordered by the same file later', async () => {
    const all = String(scarceUnits - 2)
    const rows = [order(scarce, 'C-1', { quantity: all }), order(scarce, 'C-2', { quantity: all })]
    const first = await importOrders(rows)
    expect(first).toEqual({ exit: 9, created: 1, failed: 1, same: 0 })
    await cancel('C-1')
    // The first order is cancelled, so the message says so instead of ordering again.
    expect(await importOrders(rows)).toEqual({ exit: 9, created: 1, failed: 1, same: 0 })
    expect(await statuses('C-1')).toEqual(['cancelled'])
    expect(await statuses('C-2')).toEqual(['pending'])
    await cancel('C-2')
  })

  test('a cancelled order fails with the same file too, until it is ordered again', async () => {
    const shop = write([`#D9,paid,1,Item,${plenty},Ann,1 Main St,Austin,73301,TX,US`], shopify)
    const repeating = write([order(plenty, 'D-10'), order('NO-SUCH', 'D-11')])
    await importOrders([order(plenty, 'D-10')])
    const runs = [
      {
        name: write([order(plenty, 'D-7'), order(sku, 'D-8'), order('NO-SUCH', 'D-9')]),
        first: { created: 2, failed: 1, same: 0 },
        again: { created: 0, failed: 2, same: 1 },
      },
      {
        name: repeating,
        first: { created: 0, failed: 1, same: 1 },
        again: { created: 0, failed: 2, same: 0 },
      },
      {
        name: shop,
        first: { created: 1, failed: 0, same: 0 },
        again: { created: 0, failed: 1, same: 0 },
      },
      {
        name: write([order(plenty, '', { name: 'Cy' }), order(plenty, '', { name: 'Di' })]),
        first: { created: 2, failed: 0, same: 0 },
        again: { created: 0, failed: 1, same: 1 },
      },
    ]
    for (const { name, first, again } of runs) {
      expect(counts(await run(['fulfillments', 'import', name]))).toMatchObject(first)
      const ref = name === repeating ? ['--external-ref', 'D-10'] : []
      const [newest] = await look<Fulfillment[]>(['fulfillments', 'ls', '--limit', '1', ...ref])
      await cancel(newest?.id ?? '')
      for (const _ of [1, 2]) {
        const result = await run(['fulfillments', 'import', name])
        expect(counts(result)).toEqual({ exit: 9, ...again })
        expect(result.stderr).toMatch(/\(cancelled\): to order it again, give it an/)
        expect(result.stderr).not.toContain('Nothing new')
      }
    }
    expect(counts(await run(['fulfillments', 'import', shop, '--again']))).toMatchObject({ created: 1 })
    expect(counts(await run(['fulfillments', 'import', shop]))).toMatchObject({ exit: 0, same: 1 })
    expect(await statuses('#D9')).toEqual(['pending', 'cancelled'])
  })

  test('a cancelled order in another file fails and says so', async () => {
    await importOrders([order(sku, 'D-1')])
    await cancel('D-1')
    const { exitCode, stderr } = await run([
      'fulfillments',
      'import',
      write([order(sku, 'D-1'), order(sku, 'D-2')]),
    ])
    expect([exitCode, stderr]).toEqual([9, expect.stringMatching(/row 1, line 2 .*cancelled/)])
    expect(stderr).not.toContain('--again')
    expect(await statuses('D-1')).toEqual(['cancelled'])
  })

  test('a reference with other content fails and names the field; the corrected row is ordered under another reference', async () => {
    await importOrders([order(sku, 'E-1')])
    const { exitCode, stderr } = await run([
      'fulfillments',
      'import',
      write([order(sku, 'E-1', { city: 'Salem' }), order(sku, 'E-2')]),
    ])
    expect([exitCode, stderr]).toEqual([9, expect.stringMatching(/row 1, line 2 .*city/)])
    expect([await statuses('E-1'), await statuses('E-2')]).toEqual([['pending'], ['pending']])
  })

  test('an equal row without a reference fails unattended and asks for one; --if-equal decides beforehand', async () => {
    const rows = [order(sku, '', { name: 'Regular' }), order(sku, '', { name: 'Other' })]
    await importOrders(rows)
    // The same bytes are the same import, and the report says so.
    const same = await run(['fulfillments', 'import', write(rows)])
    expect(counts(same)).toEqual({ exit: 0, created: 0, failed: 0, same: 2 })
    expect(same.stderr).toContain('2 orders without external_ref were sent before and not ordered again.')
    const later = [...rows, order(sku, '', { name: 'New' })]
    const { exitCode, stderr } = await run(['fulfillments', 'import', write(later)])
    expect([exitCode, stderr]).toEqual([
      9,
      expect.stringMatching(/2 rows failed:[\s\S]*give it an external_ref/),
    ])
    expect(stderr).not.toContain('--again')
    const skip = { flags: ['--if-equal', 'skip'] }
    expect(await importOrders([...later].reverse(), skip)).toEqual({
      exit: 0,
      created: 0,
      failed: 0,
      same: 3,
    })
    const month = { flags: ['--if-equal', 'order'] }
    const [first = ''] = rows
    expect(await importOrders([first, order(sku, 'F-2')], month)).toEqual({
      exit: 0,
      created: 2,
      failed: 0,
      same: 0,
    })
    // Running it again orders nothing.
    expect(await importOrders([first, order(sku, 'F-2')], month)).toEqual({
      exit: 0,
      created: 0,
      failed: 0,
      same: 2,
    })
    const all = await look<Fulfillment[]>(['fulfillments', 'ls', '--all'])
    const second = all.find(({ shipping_address }) => shipping_address?.recipient_name === 'Regular')
    await cancel(second?.id ?? '')
    const gone = await run(['fulfillments', 'import', write([first, order(sku, 'F-2')]), ...month.flags])
    expect(counts(gone)).toEqual({ exit: 9, created: 0, failed: 1, same: 1 })
    expect(gone.stderr).toMatch(/equals order .* \(cancelled\): to order it again, give it an external_ref/)
  })

  test('a failed row is ordered once corrected, although another row has its reference', async () => {
    const rows = [order(sku, 'G-1'), order('NO-SUCH', 'G-1')]
    expect(await importOrders(rows)).toEqual({ exit: 9, created: 1, failed: 1, same: 0 })
    operator.write(
      'fixed.csv',
      operator.read(`orders-${files}.csv.errors.csv`).replace(/NO-SUCH(?=,1)/, scarce),
    )
    expect(counts(await run(['fulfillments', 'import', 'fixed.csv']))).toEqual({
      exit: 0,
      created: 1,
      failed: 0,
      same: 0,
    })
    expect(await statuses('G-1')).toEqual(['pending', 'pending'])
    for (const others of [[], ['G-1']]) {
      const shown = await run(['fulfillments', 'show', 'G-1', ...others, '-o', 'csv'])
      expect([shown.exitCode, shown.stdout.trim().split('\n').length]).toEqual([0, 3])
    }
  })

  test('a shop order that changed between two exports does not ship twice', async () => {
    const lines = (...skus: string[]) =>
      skus.map((one) => `#H1,paid,1,Item,${one},Ann,1 Main St,Austin,73301,TX,US`)
    const two = write(lines(plenty, other), shopify)
    const send = async (file: string) => counts(await run(['fulfillments', 'import', file]))
    expect(await send(two)).toEqual({ exit: 0, created: 2, failed: 0, same: 0 })
    const [{ id = '', qids = [] } = {}] = await orders('#H1')
    expect(qids).toHaveLength(2)
    expect(await send(two)).toEqual({ exit: 0, created: 0, failed: 0, same: 2 })
    for (const [changed, differing] of [
      [lines(plenty), `1 of "${other}", not 0`],
      [lines(plenty, other, plenty), `1 of "${plenty}", not 2`],
      [lines(scarce, other), `0 of "${scarce}", not 1; 1 of "${plenty}", not 0`],
    ] as const) {
      const { exitCode, stderr } = await run(['fulfillments', 'import', write(changed, shopify)])
      expect([exitCode, (await orders('#H1')).length]).toEqual([9, 1])
      expect(stderr).toMatch(/ {2}Name is already used by order .* \(pending\), which has other items/)
      expect(stderr).toContain(
        `other items: ${differing}. That order is unchanged: cancel it and give this one another reference`,
      )
    }
    // Who does so is done: the row does not fail a second time, for another reason.
    await run(['fulfillments', 'cancel', id, '--yes'])
    const corrected = lines(plenty).map((line) => line.replace('#H1', '#H1-2'))
    expect(await send(write(corrected, shopify))).toEqual({ exit: 0, created: 1, failed: 0, same: 0 })
  })

  test('a SKU corrected in the file of failed rows and later in the shop ships once', async () => {
    const line = (one: string) => `#J1,paid,1,Item,${one},Ann,1 Main St,Austin,73301,TX,US`
    const file = write([line('NO-SUCH')], shopify)
    expect((await run(['fulfillments', 'import', file])).exitCode).toBe(9)
    operator.write('fixed.csv', operator.read(`${file}.errors.csv`).replace(/NO-SUCH(?=,A)/, plenty))
    expect((await run(['fulfillments', 'import', 'fixed.csv'])).exitCode).toBe(0)
    const again = counts(await run(['fulfillments', 'import', write([line(plenty)], shopify)]))
    expect([again, await statuses('#J1')]).toEqual([{ exit: 0, created: 0, failed: 0, same: 1 }, ['pending']])
  })

  test('flags in another order are the same import', async () => {
    const file = write([order(plenty, 'K-1')], header.replace('zip', 'Post').replace('city', 'Place'))
    const maps = [
      ['--map', 'Post=zip'],
      ['--map', 'Place=city'],
    ]
    await run(['fulfillments', 'import', file, ...maps.flat()])
    const again = await run(['fulfillments', 'import', file, ...maps.reverse().flat(), '--resume'])
    expect(counts(again)).toEqual({ exit: 0, created: 0, failed: 0, same: 1 })
  })

  test('a closed manifest is not submitted again from another machine; other lines under its reference are rejected', async () => {
    const submit = (rows: string, ...flags: string[]) => {
      operator.write('po.csv', `description,quantity\n${rows}\n`)
      const reference = flags[0] === '--reference' ? [] : ['--reference', 'PO-R']
      return run(['manifests', 'submit', 'po.csv', ...reference, ...flags])
    }
    await submit('Box,1')
    const open = await submit('Box,2')
    expect([open.exitCode, open.stderr]).toEqual([5, expect.stringContaining('which is submitted')])
    await run(['manifests', 'close', 'PO-R', '--yes'])
    operator.leave()
    operator = await newOperator('none')
    const again = await submit('Box,1')
    expect([again.exitCode, again.stderr]).toEqual([
      0,
      expect.stringMatching(/PO-R was submitted before .*reconciled/),
    ])
    // The same advice each night: who has followed it submits nothing twice.
    for (const said of ['submitted', 'was submitted before']) {
      const other = await submit('Box,2')
      expect([other.exitCode, other.stderr]).toEqual([5, expect.stringMatching(/is reconciled.* PO-R-2\./)])
      expect(other.stderr).not.toContain('--again')
      const { exitCode, stdout, stderr } = await submit('Box,2', '--reference', 'PO-R-2')
      expect([exitCode, stdout + stderr]).toEqual([0, expect.stringContaining(said)])
    }
    expect(await look<Manifest[]>(['manifests', 'ls', '--reference', 'PO-R'])).toHaveLength(1)
    expect((await submit('Box,2', '--again')).exitCode).toBe(0)
  })

  test('an equal catalog is unchanged, in either Unicode form, and a difference fails and names the field', async () => {
    const head = 'name,sku,length,width,height,dimension_unit,weight,weight_unit'
    const product = (one: string, weight = '1') => `Pokémon,${one},1,1,1,in,${weight},oz`
    const load = (...rows: string[]) => run(['products', 'import', write(rows, head)])
    await load(product('P-1'), product('P-2'))
    const grown = counts(await load(product('P-2').normalize('NFD'), product('P-3')))
    expect(grown).toEqual({ exit: 0, created: 1, failed: 0, same: 1 })
    const { exitCode, stderr } = await load(product('P-1', '2'), product('P-4'))
    expect([exitCode, stderr]).toEqual([9, expect.stringMatching(/row 1, line 2 .*weight is "1" in .*: use/)])
  })

  test('fulfillments create places an order once: exit 5 names the first; several SKUs are one parcel', async () => {
    const address = ['--recipient-name', 'Ann', '--street', '1 Main St', '--city', 'Austin', '--state', 'TX']
    const create = (...flags: string[]) =>
      run(['fulfillments', 'create', ...flags, ...address, ...'--zip 73301 --country US'.split(' ')])
    const items = ['--sku', `${plenty}:2`, '--sku', other, '--external-ref', 'L-1']
    const key = (text: string) => ['--idempotency-key', text]
    const first = await create(...items, ...key('one'))
    expect([first.exitCode, (await create(...items, ...key('one'))).stdout]).toEqual([0, first.stdout])
    const [placed] = await orders('L-1')
    expect(placed?.qids).toHaveLength(3)
    for (const flags of [[], key('two')]) {
      const again = await create(...items, ...flags)
      expect([again.exitCode, again.stderr]).toEqual([5, expect.stringContaining(placed?.id ?? '?')])
    }
  })

  function order(
    item: string,
    ref: string,
    { quantity = '1', name = 'Ann', city = 'New York' } = {},
  ): string {
    return `${item},${quantity},${name},1 Main St,${city},NY,10001,US,${ref}`
  }

  function write(rows: readonly string[], head = header): string {
    return operator.write(`orders-${++files}.csv`, [head, ...rows, ''].join('\n'))
  }

  function run(args: readonly string[], given = env, from = operator): Promise<Ran> {
    return from.run(args, { env: given })
  }

  async function importOrders(
    rows: readonly string[],
    { flags = [] as string[], from = operator, env: given = env } = {},
  ) {
    const file = from.write(`orders-${++files}.csv`, [header, ...rows, ''].join('\n'))
    return counts(await run(['fulfillments', 'import', file, ...flags], given, from))
  }

  /** Number of requests for lists of fulfillments in an import. */
  async function lists(rows: readonly string[]): Promise<number> {
    const { stderr } = await run(['fulfillments', 'import', write(rows), '--debug'])
    return stderr.match(/^> GET \/fulfillments\?/gm)?.length ?? 0
  }

  const look = <T>(args: readonly string[]): Promise<T> => operator.look(args, { env })

  async function cancel(order: string): Promise<void> {
    expect((await operator.here(['fulfillments', 'cancel', order, '--yes'], { env })).exitCode).toBe(0)
  }

  const orders = (ref: string) => look<Fulfillment[]>(['fulfillments', 'ls', '--external-ref', ref])

  async function statuses(ref: string): Promise<string[]> {
    return (await orders(ref)).map(({ status }) => status)
  }
})

function counts({ exitCode, stdout }: Ran) {
  const count = (names: string): number => Number(new RegExp(`^(?:${names})\t(.*)$`, 'm').exec(stdout)?.[1])
  return {
    exit: exitCode,
    created: count('created'),
    failed: count('failed'),
    same: count('already_ordered|unchanged'),
  }
}
