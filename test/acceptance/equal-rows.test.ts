import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import { newOperator, type Operator } from '../support/operator.ts'
import { type Served, serve } from '../support/served.ts'
import { isLong } from '../support/soak.ts'
import { partsOf, workbookOf, zipOf } from '../support/workbook.ts'

const header = 'sku,quantity,recipient_name,street,city,state,zip,country,external_ref'
const sku = 'SUP-TOP-35'
const plenty = 'SUP-OT-35'

/** repeats.test.ts imports over HTTP too. */
const ways = isLong ? ['embedded', 'over HTTP'] : ['embedded']

describe.each(ways)('an import of equal rows, %s', (how) => {
  let operator: Operator
  let served: Served | undefined
  let env: Record<string, string>
  let files = 0
  beforeAll(async () => {
    operator = await newOperator('seeded')
    served = how === 'over HTTP' ? await serve(operator, { isOwn: true }) : undefined
    env = served ? { ...served.env, CUSTODY_DATABASE: '' } : { CUSTODY_DATABASE: operator.database }
  }, 60_000)
  afterAll(async () => {
    await served?.stop()
    operator.leave()
  })

  test('fails each row of a sum that fails, and a row names its own fault besides', async () => {
    const bob = order(sku, 'S-1', 'Bob', '1000')
    const file = write(order(sku, 'S-1'), order(sku, 'S-1'), bob, order(plenty, 'S-2'))
    const first = await importOrders(file, '--combine')
    expect(first.counts).toEqual({ exit: 9, created: 1, failed: 3, same: 0 })
    expect(first.stderr).toMatch(/row 2, line 3 .*is also in rows 1 and 3: .*make them equal/)
    expect(first.stderr).toMatch(/row 3, line 4 .*zip.*external_ref/)
    const failed = operator.read(`${file}.errors.csv`)
    expect(failed.trim().split('\n')).toHaveLength(4)
    const corrected = operator.write('sums.csv', failed.replace('Bob', 'Ann').replace(',1000,', ',10001,'))
    const again = await importOrders(corrected, '--combine')
    expect(again.counts).toEqual({ exit: 0, created: 3, failed: 0, same: 0 })
    const made = (await orders()).filter(({ external_ref }) => external_ref === 'S-1')
    expect(made.map(({ qids }) => qids.length)).toEqual([3])
  })

  test('orders no unit twice if a file without references grows and is then imported with --combine', async () => {
    const [one, other] = [order('PKM-PRE-ETB', '', 'Ned'), order('PKM-PRE-ETB', '', 'Ted')]
    const two = one.replace(',1,', ',2,')
    expect((await importOrders(write(one))).counts).toMatchObject({ created: 1 })
    const grown = await importOrders(write(one, two), '--combine')
    expect(grown.counts).toEqual({ exit: 9, created: 1, failed: 1, same: 0 })
    const again = await importOrders(write(one, two, other), '--combine')
    expect(again.counts).toEqual({ exit: 9, created: 1, failed: 2, same: 0 })
    expect(again.stderr).not.toContain('--combine')
    const ofNed = (await orders()).filter(
      ({ shipping_address }) => shipping_address?.recipient_name === 'Ned',
    )
    expect(ofNed.map(({ qids }) => qids.length).sort()).toEqual([1, 2])
  })

  test('advises references that order no row again which was ordered without one', async () => {
    const row = order(plenty, '', 'Uma')
    expect((await importOrders(write(row))).counts).toMatchObject({ created: 1 })
    const twins = await importOrders(write(row, row))
    expect(twins.counts).toEqual({ exit: 6, created: 0, failed: 2, same: 0 })
    expect(twins.stderr).toMatch(/is also in row 2, line 3: give all but one an external_ref\.\n/)
    const advised = write(row, order(plenty, 'UMA-2', 'Uma'))
    expect((await importOrders(advised)).counts).toEqual({ exit: 9, created: 1, failed: 1, same: 0 })
    expect((await importOrders(advised, '--if-equal', 'skip')).counts).toMatchObject({ exit: 0, same: 2 })
    const ofUma = (await orders()).filter(({ shipping_address: to }) => to?.recipient_name === 'Uma')
    expect(ofUma).toHaveLength(2)
  })

  test('does not advise to correct rows that were ordered', async () => {
    const equal = order(sku, '', 'Una')
    await importOrders(write(equal))
    const file = write(equal, order(plenty, 'U-1'))
    const failed = await importOrders(file)
    expect(failed.counts).toEqual({ exit: 9, created: 1, failed: 1, same: 0 })
    expect(failed.stderr).toContain('import the file with --if-equal skip')
    expect(failed.stderr).not.toMatch(/Correct the failed rows|--again/)
    const skipped = await importOrders(file, '--if-equal', 'skip')
    expect(skipped.counts).toEqual({ exit: 0, created: 0, failed: 0, same: 2 })
    const bad = await importOrders(write(equal, order(sku, 'U-2', 'Una', '1')))
    expect(bad.counts).toEqual({ exit: 9, created: 0, failed: 2, same: 0 })
    expect(bad.stderr).toMatch(/--if-equal skip[\s\S]*Correct the other failed rows/)
  })

  test('makes the order of --if-equal order once, also if the equal one is cancelled', async () => {
    const equal = order(sku, '', 'Zed')
    const ofZed = async () =>
      (await orders()).filter(({ shipping_address }) => shipping_address?.recipient_name === 'Zed')
    await importOrders(write(equal))
    const file = write(equal, order(sku, 'Y-1'))
    expect((await importOrders(file, '--if-equal', 'order')).counts).toMatchObject({ created: 2 })
    await run(['fulfillments', 'cancel', (await ofZed()).at(-1)?.id ?? '', '--yes'])
    const again = await importOrders(file, '--if-equal', 'order')
    expect(again.counts).toEqual({ exit: 0, created: 0, failed: 0, same: 2 })
    expect((await ofZed()).map(({ status }) => status)).toEqual(['pending', 'cancelled'])
  })

  test('orders an equal row of another file, if only columns that are not sent differ', async () => {
    const dated = (day: string) =>
      operator.write(`dated-${day}.csv`, `${header},order_date\n${order(sku, '', 'Ida')},${day}\n`)
    const ignore = ['--ignore-columns', 'order_date']
    expect((await importOrders(dated('2026-11-02'), ...ignore)).counts).toMatchObject({ exit: 0, created: 1 })
    expect((await importOrders(dated('2026-11-02'), ...ignore)).counts).toMatchObject({ exit: 0, same: 1 })
    const another = await importOrders(dated('2026-11-03'), ...ignore)
    expect(another.counts).toEqual({ exit: 9, created: 0, failed: 1, same: 0 })
    expect(another.stderr).toMatch(/the row equals order/)
    const flags = [...ignore, '--if-equal', 'order']
    expect((await importOrders(dated('2026-11-04'), ...flags)).counts).toMatchObject({ exit: 0, created: 1 })
    expect((await importOrders(dated('2026-11-04'), ...flags)).counts).toMatchObject({ exit: 0, created: 0 })
  })

  test('orders an equal row of another sheet of the same workbook with --if-equal order, once', async () => {
    const rows = [header, order(plenty, '', 'Sue')].map((row) => row.split(','))
    const parts = await partsOf(workbookOf(rows))
    const days = '<sheet name="Day 2" sheetId="2" r:id="rId1"/></sheets>'
    const workbook = parts['xl/workbook.xml']?.replace('</sheets>', days) ?? ''
    const file = operator.write('days.xlsx', zipOf({ ...parts, 'xl/workbook.xml': workbook }))
    expect((await importOrders(file)).counts).toMatchObject({ exit: 0, created: 1 })
    const another = await importOrders(file, '--sheet', 'Day 2')
    expect(another.counts).toEqual({ exit: 9, created: 0, failed: 1, same: 0 })
    for (const created of [1, 0]) {
      const ordered = await importOrders(file, '--sheet', 'Day 2', '--if-equal', 'order')
      expect(ordered.counts).toMatchObject({ exit: 0, created })
    }
  })

  test('orders the same row of each day from the file of failed rows with --if-equal order', async () => {
    await importOrders(write(order(sku, '', 'Reg')))
    for (const day of ['1', '2']) {
      const file = write(order(sku, '', 'Reg'), order(plenty, `R-${day}`, `Customer ${day}`))
      expect((await importOrders(file)).counts).toMatchObject({ exit: 9, created: 1, failed: 1 })
      const errors = await importOrders(`${file}.errors.csv`, '--if-equal', 'order')
      expect(errors.counts).toMatchObject({ exit: 0, created: 1, same: 0 })
    }
  })

  test('fails an equal row of the same file after seven days; with --if-equal order it is one more order', async () => {
    const month = write(order(plenty, '', 'Mia'), order(plenty, 'V-1', 'Mia'))
    expect((await importOrders(month)).counts).toMatchObject({ exit: 0, created: 2 })
    await run(['sandbox', 'clock', '--advance', '6d'])
    expect((await importOrders(month)).counts).toEqual({ exit: 0, created: 0, failed: 0, same: 2 })
    for (const made of [2, 3]) {
      await run(['sandbox', 'clock', '--advance', '25d'])
      const later = await importOrders(month)
      expect(later.counts).toEqual({ exit: 9, created: 0, failed: 1, same: 1 })
      expect(later.stderr).toMatch(/row 1, line 2 .* the row equals order/)
      const runs = [
        await importOrders(month, '--if-equal', 'order'),
        await importOrders(month, '--if-equal', 'order'),
      ]
      expect(runs.map(({ counts }) => [counts.created, counts.same])).toEqual([
        [1, 1],
        [0, 2],
      ])
      const ofMia = (await orders()).filter(({ shipping_address: to }) => to?.recipient_name === 'Mia')
      expect(ofMia).toHaveLength(made + 1)
    }
  })

  test('orders a row again whose equal order is older than 400 days, and the dry run says so', async () => {
    const old = order('TOP-CHR-24-HOB', '', 'Old')
    await importOrders(write(old))
    await run(['sandbox', 'clock', '--advance', '401d'])
    const file = write(old, order('TOP-CHR-24-HOB', 'O-1', 'Old'))
    const dry = await run(['fulfillments', 'import', file, '--dry-run'])
    expect([dry.exitCode, dry.stderr]).toEqual([0, expect.stringContaining('would order 2 rows')])
    expect((await importOrders(file)).counts).toMatchObject({ exit: 0, created: 2 })
  })

  const order = (item: string, ref: string, name = 'Ann', zip = '10001'): string =>
    `${item},1,${name},1 Main St,New York,NY,${zip},US,${ref}`

  const run = (args: readonly string[]) => operator.run(args, { env })

  async function importOrders(file: string, ...flags: string[]) {
    const { exitCode, stdout, stderr } = await run(['fulfillments', 'import', file, ...flags, '--json'])
    const { created, failed, already_ordered } = JSON.parse(stdout).totals
    return { stderr, counts: { exit: exitCode, created, failed, same: already_ordered } }
  }

  function write(...rows: string[]): string {
    return operator.write(`orders-${++files}.csv`, [header, ...rows, ''].join('\n'))
  }

  async function orders(): Promise<Fulfillment[]> {
    return operator.look(['fulfillments', 'ls', '--all'], { env })
  }
})
