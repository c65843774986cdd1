import { beforeAll, describe, expect, test } from 'vitest'
import type { Fulfillment } from '../../src/contract/resources/fulfillment.ts'
import type { Item, ItemSummary } from '../../src/contract/resources/item.ts'
import type { Manifest } from '../../src/contract/resources/manifest.ts'
import type { Product } from '../../src/contract/resources/product.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'
import { prepareScanner, scanned } from '../support/scanned-codes.ts'

const operator = forAllTests(operatorWith())
const warehouse = (args: readonly string[], codes: readonly string[] = []) =>
  operator.run(['warehouse', ...args], { input: codes.map((code) => `${code}\n`).join('') })
const answers = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
beforeAll(async () => {
  await prepareScanner()
  const place = ['--database', operator.database]
  await operator.run(['admin', 'partners', 'create', 'Northgate', ...place])
  await operator.run(['admin', 'keys', 'create', 'Northgate', '--environment', 'sandbox', ...place])
  const theirs = 'name,grader,grade,cert_number\nTheir Mew,PSA,9,77700001\n'
  operator.write('theirs.csv', theirs)
  const ran = await operator.run(
    'warehouse intake theirs.csv --partner Northgate --environment sandbox'.split(' '),
  )
  if (ran.exitCode !== 0) throw new Error(ran.stderr)
})

const ours = ['--partner', 'Sandbox', '--environment', 'sandbox']

const create =
  'fulfillments create --recipient-name Ann --street 1-Elm --city Austin --state TX --zip 78701 --country US'.split(
    ' ',
  )

describe('warehouse picks', () => {
  type Row = {
    deliver_by: string | null
    order: string
    qid: string
    cert_number: string | null
    fulfillment_id: string
  }
  const listed = async () => JSON.parse((await warehouse(['picks', ...ours, '--json'])).stdout) as Row[]

  beforeAll(async () => {
    const available = await operator.look<Item[]>(['items', 'ls', '--status', 'available', '--limit', '250'])
    const slabs = available.filter(({ type }) => type === 'graded_slab')
    for (const [at, [ref, day]] of [
      ['P-LATE', '2099-02-01'],
      ['P-SOON', '2099-01-01'],
      ['P-NONE', ''],
    ].entries()) {
      const qids = slabs.slice(at * 2, at * 2 + 2).flatMap(({ qid }) => ['--qid', qid])
      const due = day ? ['--deliver-by', day] : []
      const ran = await operator.run([...create, ...qids, '--external-ref', ref!, ...due])
      expect(ran.exitCode, ran.stderr).toBe(0)
    }
  })

  test('lists the items of waiting orders, earliest deliver-by first and those without one last', async () => {
    const rows = await listed()
    const waiting = (await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--all'])).filter(
      ({ status, processing_stage }) =>
        status === 'pending' || (status === 'processing' && processing_stage === null),
    )
    expect(rows.map(({ qid }) => qid).sort()).toEqual(waiting.flatMap(({ qids }) => qids).sort())
    expect(rows.slice(0, 4).map(({ order }) => order)).toEqual(['P-SOON', 'P-SOON', 'P-LATE', 'P-LATE'])
    expect(rows.at(-1)?.order).toBe('P-NONE')
  })

  test('shows the QID, name, and certificate of each item in a table of 80 columns', async () => {
    const env = { COLUMNS: '80' }
    const { stdout } = await operator.run(['warehouse', 'picks', ...ours, '--output', 'table'], { env })
    expect(stdout).toMatch(/^DELIVER BY +ORDER +QID +NAME +CERT/)
    for (const line of stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test("writes a page with each item's QID and certificate as barcodes", async () => {
    const rows = await listed()
    expect((await warehouse(['picks', ...ours, '--html', 'picks.html'])).exitCode).toBe(0)
    const codes = (await scanned(operator.read('picks.html'))).flat()
    expect(codes).toEqual(
      rows.flatMap(({ qid, cert_number }) =>
        [qid, cert_number].filter((code) => code !== null).map((code) => `Code128: ${code}`),
      ),
    )
  })

  test('completes an order when its last item is scanned by QID, certificate, or QR code', async () => {
    const rows = await listed()
    const [a, b] = rows.filter(({ order }) => order === 'P-SOON') as [Row, Row]
    const [c] = rows.filter(({ order }) => order === 'P-LATE') as [Row]
    const ran = await warehouse(
      ['picks', ...ours, '--scan'],
      [a.qid, String(b.cert_number), a.qid, c.qid, c.qid, 'x'],
    )
    expect(answers(ran.stdout)).toEqual([
      ['ok', '1/2 of P-SOON'],
      ['picked', '2/2 of P-SOON'],
      ['wrong', expect.stringMatching(`^${a.qid}: no order waits for it .${a.qid}, \\w+.$`)],
      ['ok', '1/2 of P-LATE'],
      ['twice', `${c.qid} was scanned already`],
      ['unknown', 'x: no item has this code; put it aside'],
    ])
    expect([ran.exitCode, ran.stderr]).toEqual([
      9,
      expect.stringMatching(/P-LATE is not picked: .* not scanned\n1 order picked/),
    ])
    const [soon] = await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--external-ref', 'P-SOON'])
    expect([soon?.status, soon?.processing_stage]).toEqual(['processing', 'picked'])
    const [late] = await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--external-ref', 'P-LATE'])
    expect(late?.status).toBe('pending')
    expect((await listed()).map(({ order }) => order)).not.toContain('P-SOON')
  })

  test('takes back the last scan of an order that is not picked yet', async () => {
    const [a, b] = (await listed()).filter(({ order }) => order === 'P-LATE') as [Row, Row]
    const codes = ['undo', a.qid, 'undo', 'undo', b.qid]
    const ran = await warehouse(['picks', ...ours, '--scan'], codes)
    expect(answers(ran.stdout)).toEqual([
      ['nothing', expect.stringMatching(/^to undo/)],
      ['ok', '1/2 of P-LATE'],
      ['undone', `${a.qid} of P-LATE`],
      ['nothing', expect.stringMatching(/^to undo/)],
      ['ok', '1/2 of P-LATE'],
    ])
    expect(ran.stderr).toContain(`P-LATE is not picked: ${a.qid} not scanned`)
  })

  test('picks nothing for a number of two graders, and names them', async () => {
    const [row] = (await listed()).filter(({ order }) => order === 'P-NONE') as [Row]
    const twin = `name,grader,grade,cert_number\nTwin,SGC,9,${row.cert_number}\n`
    operator.write('twin.csv', twin)
    const ran = await warehouse(['intake', 'twin.csv', ...ours])
    expect(ran.exitCode, ran.stderr).toBe(0)
    const { grader } = await operator.look<Item>(['items', 'show', row.qid])
    const picked = await warehouse(['picks', ...ours, '--scan'], [String(row.cert_number), row.qid])
    expect(answers(picked.stdout)).toEqual([
      ['ambiguous', expect.stringContaining(`${row.cert_number} is a number of`)],
      ['ok', '1/2 of P-NONE'],
    ])
    expect(picked.stdout).toMatch(new RegExp(`(?:SGC and ${grader}|${grader} and SGC): scan`))
    expect(picked.exitCode).toBe(9)
  })

  test('rejects --scan with --html', async () => {
    expect((await warehouse(['picks', ...ours, '--scan', '--html', 'p.html'])).exitCode).toBe(2)
  })
})

describe('warehouse count --scan', () => {
  const stored = async () =>
    (await operator.look<Item[]>(['items', 'ls', '--all'])).filter(({ status }) => status !== 'in_transit')
  /** One code for each item in the warehouse: its QID, its certificate, its SKU, or its barcode, in turns. */
  const upcs = new Map<string | null, string | null>()
  beforeAll(async () => {
    for (const { sku, upc } of await operator.look<Product[]>(['products', 'ls', '--all'])) upcs.set(sku, upc)
  })
  const codesOf = (items: readonly Item[]) =>
    items.map(({ qid, cert_number, grader, sku, type }, at) => {
      if (type === 'product') return (at % 2 ? [sku, sku?.toLowerCase(), upcs.get(sku)][at % 3] : qid) ?? qid
      if (grader === 'PSA' && at % 3 === 0) return `https://www.psacard.com/cert/${cert_number}/psa`
      return at % 2 ? String(cert_number) : qid
    })

  test('answers with a running count only, and finds no difference if there is none', async () => {
    const codes = codesOf(await stored())
    const ran = await warehouse(['count', ...ours, '--scan', '--out', 'none.csv'], codes)
    expect(answers(ran.stdout).map(([, count]) => count)).toEqual(codes.map((_, at) => String(at + 1)))
    expect([ran.exitCode, ran.stderr], operator.read('none.csv')).toEqual([
      0,
      expect.stringContaining('everything as recorded'),
    ])
  })

  test('takes back the last code with undo', async () => {
    const typed = ['undo', '55500000', 'UNDO', ...codesOf(await stored()), '55500000', 'undo']
    const ran = await warehouse(['count', ...ours, '--scan', '--out', 'undone.csv'], typed)
    expect(answers(ran.stdout).filter(([word]) => word !== 'ok' && word !== 'again')).toEqual([
      ['nothing', 'to undo'],
      ['undone', '0  55500000'],
      ['undone', `${typed.length - 5}  55500000`],
    ])
    expect([ran.exitCode, operator.read('undone.csv').trim().split('\n').length]).toEqual([0, 1])
  })

  test('names missing, extra, repeated, and other partners’ items, and changes nothing', async () => {
    const items = await stored()
    const slabs = items.filter(({ type }) => type === 'graded_slab')
    const product = items.find(({ type }) => type === 'product')!
    const [lost, double, triple] = slabs as [Item, Item, Item]
    const [gone] = await operator.look<Item[]>(['items', 'ls', '--status', 'delivered', '--limit', '1'])
    const rest = items.filter(({ qid }) => qid !== lost.qid && qid !== product.qid)
    const again = [double.qid, triple.qid, String(triple.cert_number)]
    const cert = String(gone!.cert_number)
    const codes = [...codesOf(rest), ...again, gone!.qid, cert, '77700001', 'JUNK']
    const before = await operator.look<ItemSummary>(['items', 'summary'])
    const events = (await operator.run(['events', 'ls', '--all', '--json'])).stdout
    const ran = await warehouse(['count', ...ours, '--scan', '--out', 'found.csv'], codes)
    expect([ran.exitCode, ran.stderr]).toEqual([
      9,
      expect.stringContaining('2 missing, 2 extra, 3 twice, 1 other partner; see found.csv'),
    ])
    const rows = operator.read('found.csv').trimEnd().split(/\r?\n/)
    expect(rows).toContainEqual(expect.stringMatching(new RegExp(`^missing,${lost.qid},1,${lost.qid},`)))
    expect(rows).toContainEqual(expect.stringMatching(new RegExp(`^missing,${product.sku},1,`)))
    for (const [{ qid }, times] of [
      [double, 2],
      [triple, 3],
    ] as const)
      expect(rows).toContainEqual(
        expect.stringMatching(new RegExp(`^twice,[^,]*,${times - 1},${qid},.*scanned ${times} times`)),
      )
    expect(rows.filter((row) => row.includes(gone!.qid))).toEqual([
      expect.stringMatching(new RegExp(`^extra,${gone!.qid},1,.*recorded as delivered`)),
    ])
    expect(rows).toContainEqual(expect.stringMatching(/^extra,JUNK,1,,,,unknown/))
    expect(rows).toContainEqual(expect.stringMatching(/^other_partner,77700001,1,.*belongs to Northgate/))
    expect(await operator.look<ItemSummary>(['items', 'summary'])).toEqual(before)
    expect((await operator.run(['events', 'ls', '--all', '--json'])).stdout).toBe(events)
  })

  test('counts both slabs of two graders by their common number', async () => {
    operator.write('twins.csv', 'name,grader,grade,cert_number\nMew,PSA,9,55509876\nMew,SGC,9,55509876\n')
    expect((await warehouse(['intake', 'twins.csv', ...ours])).exitCode).toBe(0)
    const twin = ({ cert_number }: Item) => cert_number === '55509876'
    const codes = codesOf((await stored()).filter((item) => !twin(item)))
    const all = [...codes, '55509876', '55509876']
    const ran = await warehouse(['count', ...ours, '--scan', '--out', 'twins-found.csv'], all)
    expect([ran.exitCode, ran.stderr]).toEqual([0, expect.stringContaining('everything as recorded')])
  })

  test("tells one grader's number from another's", async () => {
    const codes = ['0048201934', 'https://www.psacard.com/cert/48201934/psa', 'psacard.com/cert/48201934']
    const ran = await warehouse(['count', ...ours, '--scan', '--out', 'graders.csv'], codes)
    expect(answers(ran.stdout).map(([word]) => word)).toEqual(['ok', 'ok', 'again'])
  })

  test('rejects a missing --scan, and an unknown partner before the first code', async () => {
    expect((await warehouse(['count', ...ours])).exitCode).toBe(2)
    const ran = await warehouse(['count', '--scan', '--partner', 'Nobody'], ['A'])
    expect([ran.exitCode, ran.stdout]).toEqual([4, ''])
  })
})

describe('warehouse receive --scan says why a code did not match', () => {
  beforeAll(async () => {
    const submit = (reference: string, ...certs: string[]) =>
      operator.run(['manifests', 'submit', '-'], {
        input: JSON.stringify({
          reference,
          lines: certs.map((cert_number) => ({ description: 'Slab', grader: 'PSA', cert_number })),
        }),
      })
    await submit('R-1', '66600001', '66600002')
    await submit('R-2', '66600003')
  })

  test('whether it is unknown, of another manifest, partner, or grader, or already received', async () => {
    const held = (await operator.json<Item[]>('items ls --grader PSA --status available'.split(' ')))[0]
    const codes = [
      'R-1',
      'https://www.psacard.com/cert/66600001/psa 9',
      '66600003',
      '77700001',
      String(held!.cert_number),
      'https://www.cgccards.com/certlookup/66600002/',
      'https://www.cgccards.com/certlookup/66600003/',
      '55500000',
    ]
    const ran = await warehouse(
      ['receive', ...ours, '--scan', '--grade', '9'],
      codes.map((code) => code.replace(' 9', '')),
    )
    expect(answers(ran.stdout)).toEqual([
      ['manifest', 'R-1, 2 units to come'],
      ['ok', '1/2  Slab'],
      ['elsewhere', '66600003 is expected on R-2: scan the label of its box first'],
      ['elsewhere', '77700001 belongs to Northgate: put it aside'],
      ['twice', `${held!.cert_number} was already received: ${held!.qid}, available`],
      ['elsewhere', expect.stringContaining('its line names PSA, not this grader')],
      ['unknown', 'https://www.cgccards.com/certlookup/66600003/: no manifest expects it; put it aside'],
      ['unknown', '55500000: no manifest expects it; put it aside'],
    ])
    expect([ran.exitCode, ran.stderr]).toEqual([9, expect.stringContaining('1 item received; 6 scans')])
    const [arrived] = await operator.look<Item[]>(['items', 'ls', '--cert-number', '66600001'])
    expect(arrived?.cert_number).toBe('66600001')
  })

  test('whether it left, and with which order or transfer', async () => {
    const left = async (status: string) =>
      (await operator.look<Item[]>(['items', 'ls', '--status', status, '--limit', '1']))[0]!
    const [delivered, released] = [await left('delivered'), await left('released')]
    const codes = [delivered, released].map(({ cert_number }) => String(cert_number))
    const [order] = await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--qid', delivered.qid])
    const ran = await warehouse(['receive', 'R-2', ...ours, '--scan'], codes)
    expect(answers(ran.stdout).slice(1)).toEqual([
      ['left', `${codes[0]} left with ${order!.external_ref}: ${delivered.qid}, delivered; put it aside`],
      ['left', `${codes[1]} left by a transfer: ${released.qid}, released; put it aside`],
    ])
  })

  test('compares the grader of a line that is complete already', async () => {
    const [arrived] = await operator.look<Item[]>(['items', 'ls', '--cert-number', '66600001'])
    const codes = ['66600001', 'https://www.cgccards.com/certlookup/66600001/']
    const ran = await warehouse(['receive', 'R-1', ...ours, '--scan'], codes)
    expect(answers(ran.stdout).slice(1)).toEqual([
      ['twice', `66600001 was already received: ${arrived!.qid}, received`],
      ['unknown', `${codes[1]}: no manifest expects it; put it aside`],
    ])
  })
})

describe('a slab is in custody once', () => {
  test('and in a sandbox each partner rehearses alone', async () => {
    await operator.run(['manifests', 'submit', '-'], {
      input: JSON.stringify({
        reference: 'R-3',
        lines: [{ description: 'Mew', grader: 'PSA', cert_number: '77700001' }],
      }),
    })
    const scan = await warehouse(['receive', 'R-3', ...ours, '--scan'], ['77700001 9'])
    expect([scan.exitCode, answers(scan.stdout)[1]?.[0]]).toEqual([0, 'ok'])
  })

  test('also if an order that was delivered returns after its slab was received again', async () => {
    const ordered = (await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--status', 'delivered'])).map(
      async (order) => ({ order, item: await operator.look<Item>(['items', 'show', order.qids[0]!]) }),
    )
    const delivered = (await Promise.all(ordered)).find(
      ({ order, item }) => order.qids.length === 1 && item.type === 'graded_slab',
    )
    const { grader, grade, cert_number } = delivered!.item
    const slab = ['--grader', grader!, '--grade', grade!, '--cert-number', cert_number!]
    expect((await warehouse(['intake', ...ours, ...slab])).exitCode).toBe(0)
    const back = ['return', delivered!.order.id, ...ours, '--yes']
    const { exitCode, stderr } = await warehouse(back)
    expect([exitCode, stderr]).toEqual([
      5,
      expect.stringMatching(`: ${grader} ${cert_number} is already in custody: Q-.*, received`),
    ])
    expect((await operator.look<Item>(['items', 'show', delivered!.item.qid])).status).toBe(
      delivered!.item.status,
    )
    expect((await warehouse([...back, '--no-lint'])).exitCode).toBe(0)
    const both = await operator.look<Item[]>(['items', 'ls', '--cert-number', cert_number!])
    const qids = both.map(({ qid }) => qid)
    await operator.run(['sandbox', 'advance', ...qids, '--to', 'delivered'])
    const sent = await operator.look<Fulfillment[]>(['fulfillments', 'ls', '--status', 'delivered', '--all'])
    const ids = sent.filter((order) => qids.includes(order.qids[0]!)).map(({ id }) => id)
    const twice = await warehouse(['return', ...ids, ...ours, '--yes'])
    expect([ids.length, twice.exitCode, twice.stderr]).toEqual([
      2,
      5,
      expect.stringMatching(' is returned twice'),
    ])
    expect((await warehouse(['intake', ...ours, ...slab])).exitCode).toBe(0)
    const all = await warehouse(['return', ...ids, ...ours, '--yes'])
    expect([all.exitCode, all.stderr]).toEqual([
      5,
      expect.stringMatching(RegExp(ids.map((id) => `${id}  .* is already in custody.*`).join('\n *'))),
    ])
  })
})

test('the label of another partner’s manifest says whose box it is', async () => {
  const theirs = ['--partner', 'Northgate', '--environment', 'sandbox']
  await operator.run(['init', '--database', operator.database, ...theirs, '--name', 'north'])
  const body = { reference: 'N-1', lines: [{ description: 'Mew' }] }
  const { stdout } = await operator.run(['manifests', 'submit', '-', '--profile', 'north', '--json'], {
    input: JSON.stringify(body),
  })
  const { id } = JSON.parse(stdout) as Manifest
  const nobodys = '01990000-0000-7000-8000-000000000000'
  const place = ['--database', operator.database]
  const { stdout: answered } = await warehouse(
    ['receive', ...ours, ...place, '--scan'],
    [`${id} N-1`, nobodys],
  )
  expect(answers(answered)).toEqual([
    ['refused', 'N-1 belongs to Northgate: put its box aside.'],
    ['refused', `There is no manifest with the id ${nobodys}.`],
  ])
})

test('picks a product by its barcode, although a slab with this number has left', async () => {
  const held = await operator.look<Item[]>(['items', 'ls', '--status', 'available', '--all'])
  const products = await operator.look<Product[]>(['products', 'ls', '--all'])
  const { sku, upc } = products.find((each) => each.upc && held.some((item) => item.sku === each.sku))!
  const slab = ['--grader', 'PSA', '--grade', '9', '--cert-number', upc!]
  const [left] = await operator.look<Item[]>(['warehouse', 'intake', ...ours, ...slab, '--no-lint'])
  await operator.run(['sandbox', 'advance', left!.qid, '--to', 'delivered'])
  await operator.run([...create, '--sku', sku, '--external-ref', 'P-UPC'])
  const { stdout } = await warehouse(['picks', ...ours, '--scan'], [`0${upc}`])
  expect(answers(stdout)).toEqual([['picked', '1/1 of P-UPC']])
})
