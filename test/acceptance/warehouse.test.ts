import { beforeAll, describe, expect, test } from 'vitest'
import type { Fulfillment, Transfer } from '../../src/contract/resources/fulfillment.ts'
import type { IntakeEvent, Item } from '../../src/contract/resources/item.ts'
import type { Manifest, ManifestReport } from '../../src/contract/resources/manifest.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'
import { workbookOf } from '../support/workbook.ts'

const partner = 'Northgate Cards'
const place = ['--database', 'live.db', '--partner', partner, '--environment', 'production']
const to =
  '--recipient-name A --street B --city Austin --state TX --zip 78701 --country US --external-ref'.split(' ')
const arrivals = `sku,grader,grade,cert_number,name,quantity,condition_flags
PKM-151-ETB,,,,,4,
,PSA,10,48201934,1999 Base Set Charizard,,cracked_case;label_mismatch
`
const operator = forAllTests(operatorWith('none'))

/** The warehouse's side. */
function warehouse(...args: string[]) {
  return operator.run(['warehouse', ...args, '--json'])
}

async function done<T>(...args: string[]): Promise<T> {
  const { exitCode, stdout, stderr } = await warehouse(...args)
  if (exitCode !== 0) throw new Error(`warehouse ${args.join(' ')} ended with ${exitCode}: ${stderr}`)
  return JSON.parse(stdout)
}

beforeAll(async () => {
  await operator.run(['init', ...place, '--name', 'live'])
  await operator.run(['products', 'import', operator.fixture('catalog.csv')])
  operator.write('arrivals.csv', arrivals)
  operator.write('sent.csv', 'description,quantity,sku\nElite Trainer Box,4,PKM-151-ETB\n')
  await operator.run(['manifests', 'submit', 'sent.csv', '--reference', 'PO-7', '--source', 'distributor'])
})

describe('the warehouse, in production, over a database', () => {
  let qids: string[]

  test('receives a whole file, matched to its manifest, and names the target', async () => {
    const { exitCode, stdout, stderr } = await warehouse('intake', 'arrivals.csv', '--manifest', 'PO-7')
    expect([exitCode, stderr]).toEqual([
      0,
      `Writing to PRODUCTION: ${partner} in ${operator.path('live.db')}\n5 items\n`,
    ])
    const intakes = JSON.parse(stdout) as IntakeEvent[]
    expect(intakes.map(({ item, condition_flags }) => [item.sku.slice(0, 6), condition_flags])).toEqual([
      ...Array(4).fill(['PKM-15', []]),
      ['GS-PSA', ['cracked_case', 'label_mismatch']],
    ])
    qids = intakes.map(({ qid }) => qid)
    const { totals } = await operator.json<ManifestReport>(['manifests', 'report', 'PO-7'])
    expect(totals).toMatchObject({ expected: 4, matched: 4, missing: 0, unexpected: 1 })
  })

  test('receives rows once in 7 days: an equal file is rejected, and --again receives it', async () => {
    operator.write('one.csv', 'sku\nPKM-151-ETB\n')
    const [first] = await done<IntakeEvent[]>('intake', 'one.csv')
    const { exitCode, stdout, stderr } = await operator.run(['warehouse', 'intake', 'one.csv'])
    expect([exitCode, stdout]).toEqual([5, ''])
    expect(stderr).toContain(
      `The rows of one.csv were received at ${first?.intake_at}: 1 item, the first ${first?.qid}. Nothing was received now. ` +
        'If this is another delivery, name it with --delivery, or pass --again.',
    )
    expect((await operator.look<{ total: number }>(['items', 'summary'])).total).toBe(6)
    await done('intake', 'one.csv', '--again')
    expect((await operator.look<{ total: number }>(['items', 'summary'])).total).toBe(7)
  })

  test('rejects equal arrivals, whatever the order of rows and columns, the split of quantities, and the notes', async () => {
    const total = async () => (await operator.look<{ total: number }>(['items', 'summary'])).total
    operator.write('order.csv', 'sku,quantity\nPKM-151-ETB,3\nPKM-PAF-ETB,2\n')
    const [first] = await done<IntakeEvent[]>('intake', 'order.csv')
    const before = await total()
    for (const rows of [
      'quantity,sku\n3,PKM-151-ETB\n2,PKM-PAF-ETB\n',
      'sku,quantity\nPKM-PAF-ETB,2\nPKM-151-ETB,3\n',
      'sku,quantity,note\nPKM-151-ETB,1,torn\nPKM-PAF-ETB,2,\nPKM-151-ETB,2,\n',
    ]) {
      operator.write('order.csv', rows)
      const again = await warehouse('intake', 'order.csv', '--ignore-columns', 'note')
      expect([again.exitCode, again.stderr, await total()]).toEqual([
        5,
        expect.stringContaining(`5 items, the first ${first?.qid}. Nothing was received now.`),
        before,
      ])
    }
    operator.write('order.csv', 'sku,quantity\nPKM-151-ETB,2\nPKM-PAF-ETB,3\n')
    expect(await done('intake', 'order.csv')).toHaveLength(5)
  })

  test('rejects a file that gained rows since it was received, unless it is another delivery', async () => {
    const total = async () => (await operator.look<{ total: number }>(['items', 'summary'])).total
    const file = (rows: string) => operator.write('grown.csv', `sku,quantity\n${rows}`)
    const rows = 'PKM-TWM-BB36,4\nPKM-SSP-PK,1\n'
    file(rows)
    const [first] = await done<IntakeEvent[]>('intake', 'grown.csv')
    const before = await total()
    for (const grown of [`${rows}PKM-PAF-ETB,1\n`, `PKM-151-ETB,9\n${rows}`]) {
      file(grown)
      const again = await warehouse('intake', 'grown.csv')
      expect([again.exitCode, again.stderr, await total()]).toEqual([
        5,
        expect.stringMatching(
          `grown.csv has all products of a file that was received at .*: 5 items, the first ${first?.qid}. Nothing was received now.*If more arrived, import only those rows.`,
        ),
        before,
      ])
    }
    file('PKM-TWM-BB36,5\nPKM-SSP-PK,1\n')
    expect(await done('intake', 'grown.csv')).toHaveLength(6)
    file(`${rows}PKM-TWM-BB36,1\n`)
    expect(await done('intake', 'grown.csv', '--delivery', 'grown-2')).toHaveLength(6)
  })

  test('receives an equal file as another delivery, and repeats the answer for the same delivery', async () => {
    const total = async () => (await operator.look<{ total: number }>(['items', 'summary'])).total
    const before = await total()
    operator.write('box.csv', 'sku,quantity\nPKM-151-ETB,2\n')
    const first = await done<IntakeEvent[]>('intake', 'box.csv', '--delivery', 'D-1')
    const again = await warehouse('intake', 'box.csv', '--delivery', 'D-1')
    expect([again.exitCode, JSON.parse(again.stdout)]).toEqual([0, first])
    expect(again.stderr).toContain('Delivery D-1 was received before; this is its first result.')
    const second = await done<IntakeEvent[]>('intake', 'box.csv', '--delivery', 'D-2')
    expect(second.map(({ qid }) => qid)).not.toEqual(first.map(({ qid }) => qid))
    expect(await total()).toBe(before + 4)
    operator.write('box.csv', 'sku,quantity\nPKM-151-ETB,3\n')
    const other = await operator.run(['warehouse', 'intake', 'box.csv', '--delivery', 'D-1'])
    expect([other.exitCode, other.stderr]).toEqual([
      5,
      expect.stringMatching(
        /Delivery D-1 was received at .* with other rows .*: 2 items, the first Q-.*\. Nothing/,
      ),
    ])
    expect(await total()).toBe(before + 4)
    await done('intake', 'box.csv', '--delivery', 'D-3')
    expect(await total()).toBe(before + 7)
  })

  test('receives a slab once, however its manifest is named and whatever rows its file gains', async () => {
    const { id } = await operator.look<Manifest>(['manifests', 'show', 'PO-7'])
    const before = (await operator.look<{ total: number }>(['items', 'summary'])).total
    for (const words of [['--manifest', id.toUpperCase()], []]) {
      const again = await operator.run(['warehouse', 'intake', 'arrivals.csv', ...words])
      expect([again.exitCode, again.stderr]).toEqual([5, expect.stringContaining(`the first ${qids[0]}`)])
    }
    const held = `PSA 48201934 is already in custody: ${qids[4]}, received`
    const without = await operator.run(['warehouse', 'intake', 'arrivals.csv', '--delivery', 'D-9'])
    expect([without.exitCode, without.stderr]).toEqual([5, expect.stringContaining(`row 2, line 3  ${held}`)])
    const more = [',psa,9,4820-1934,,,', ',PSA,8,77700001,,,', ',PSA,8,77700001,,,']
    operator.write('grown.csv', `${arrivals}${more.join('\n')}\n`)
    const grown = await operator.run(['warehouse', 'intake', 'grown.csv', '--manifest', 'PO-7'])
    expect([grown.exitCode, grown.stderr.split('\n').slice(1, -1)]).toEqual([
      5,
      [
        'custody warehouse intake: 3 rows of grown.csv cannot be received; nothing was received. Delete the rows of slabs in custody. Correct or delete rows that repeat another.',
        `  row 2, line 3  ${held}`,
        `  row 3, line 4  psa 4820-1934 is already in custody: ${qids[4]}, received`,
        '  row 5, line 6  PSA 77700001 is also in row 4, line 5',
      ],
    ])
    const slab = ['--grader', 'PSA', '--grade', '10', '--cert-number', '48201934']
    const { exitCode, stderr } = await operator.run(['warehouse', 'intake', ...slab])
    expect([exitCode, stderr]).toEqual([
      5,
      expect.stringContaining(`${held}; nothing was received. Check the grader`),
    ])
    const equal = await operator.run(['warehouse', 'intake', 'arrivals.csv'])
    expect(equal.stderr).toContain('If more of its products arrived, import only their rows.')
    for (const file of ['arrivals.csv', 'grown.csv']) {
      const again = await operator.run(['warehouse', 'intake', file, '--again'])
      expect([again.exitCode, again.stderr]).toEqual([5, expect.stringContaining(held)])
    }
    expect((await operator.look<{ total: number }>(['items', 'summary'])).total).toBe(before)
    expect(await done('intake', ...slab, '--no-lint')).toHaveLength(1)
  })

  test('receives a file in another form, and a workbook', async () => {
    const names = ['Qty', 'Item SKU', 'Note']
    operator.write('theirs.csv', `${names.join(';')}\n6;PKM-151-ETB;torn\n`)
    operator.write('theirs.xlsx', workbookOf([names, [7, 'PKM-151-ETB', '']]))
    for (const [file, count] of Object.entries({ 'theirs.csv': 6, 'theirs.xlsx': 7 }))
      expect(await done<IntakeEvent[]>('intake', file, '--ignore-columns', 'note')).toHaveLength(count)
    const { exitCode, stderr } = await warehouse('intake', 'theirs.csv')
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('unknown column')])
  })

  test('receives the same delivery once, whatever a spreadsheet makes of its rows', async () => {
    const total = async () => (await operator.look<{ total: number }>(['items', 'summary'])).total
    const before = await total()
    const rows = [
      ['sku', 'quantity'],
      ['PKM-151-ETB', '2'],
    ]
    const text = (separator: string, end: string): string =>
      rows.map((row) => `${row.join(separator)}${end}`).join('')
    const saved: Array<readonly [name: string, content: string | Buffer]> = [
      ['two.csv', text(',', '\n')],
      ['two.csv', `\ufeff${text(',', '\r\n')}`],
      ['two.csv', text(';', '\n')],
      ['two.xlsx', workbookOf(rows)],
      ['two.xlsx', workbookOf([...rows, []])],
    ]
    for (const [name, content] of saved) {
      operator.write(name, content)
      expect(await done('intake', name, '--delivery', 'D-4')).toHaveLength(2)
      expect(await total()).toBe(before + 2)
    }
    const forManifest = await warehouse('intake', 'two.csv', '--delivery', 'D-4', '--manifest', 'PO-7')
    expect([forManifest.exitCode, forManifest.stderr]).toEqual([
      5,
      expect.stringMatching(/with other rows or for another manifest: 2 items.*\bimport only those rows\b/),
    ])
    expect(await total()).toBe(before + 2)
  })

  test('shelves items, all of them or none', async () => {
    expect(await done('digitize', ...qids)).toHaveLength(5)
    const rejected = await warehouse('store', qids[0]!, 'Q-0000-0000-0000', qids[1]!)
    expect([rejected.exitCode, rejected.stderr]).toEqual([4, expect.stringContaining('Nothing was changed.')])
    const several = await warehouse('store', 'NOPE', qids[0]!, 'Q-0000-0000-0000')
    expect([several.exitCode, JSON.parse(several.stderr.trim().split('\n').at(-1)!)]).toMatchObject([
      4,
      {
        message: '2 of 3 failed. Nothing was changed.',
        extra: { fields: { NOPE: ['No such resource.'], 'Q-0000-0000-0000': ['No such resource.'] } },
      },
    ])
    expect((await operator.look<Item>(['items', 'show', qids[0]!])).status).toBe('digitized')
    const stored = await done<Item[]>('store', ...qids)
    expect(stored.map(({ status }) => status)).toEqual(Array(5).fill('available'))
  })

  test('ships an order step by step; the partner cannot cancel it once it is picked', async () => {
    await operator.json(['fulfillments', 'create', '--qid', qids[0]!, ...to, 'SO-1'])
    const picked = await done<Fulfillment>('pick', 'SO-1')
    expect([picked.status, picked.processing_stage]).toEqual(['processing', 'picked'])
    expect((await operator.run(['fulfillments', 'cancel', 'SO-1', '--yes'])).exitCode).toBe(5)
    expect((await done<Fulfillment>('pack', 'SO-1')).processing_stage).toBe('packed')
    expect((await done<Fulfillment>('verify', picked.id)).processing_stage).toBe('verified')
    const { exitCode, stderr } = await warehouse('label', 'SO-1', picked.id)
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining(' a label by now; service is required: ')])
    expect((await warehouse('label', 'SO-1', '--carrier', 'ups')).exitCode).toBe(2)
    const label = ['--carrier', 'ups', '--service', 'ups_ground', '--tracking-number', '1Z1']
    expect(await done('label', 'SO-1', ...label)).toMatchObject({ carrier: 'ups', tracking_number: '1Z1' })
    expect((await done<Fulfillment>('queue', 'SO-1')).processing_stage).toBe('queued_for_carrier')
    expect((await warehouse('deliver', 'SO-1')).exitCode).toBe(5)
    expect((await done<Fulfillment>('ship', 'SO-1')).status).toBe('shipped')
    const issue = ['--code', 'lost', '--message', 'The carrier cannot find it.']
    expect((await done<Fulfillment>('issue', 'SO-1', ...issue)).issue).toMatchObject({ code: 'lost' })
    expect((await done<Fulfillment>('resolve-issue', 'SO-1')).status).toBe('shipped')
    const delivered = await done<Fulfillment>('deliver', 'SO-1')
    expect((await warehouse('return', 'SO-1')).exitCode).toBe(2)
    const returned = await done<Fulfillment>('return', 'SO-1', '--yes')
    expect([delivered.status, returned.status]).toEqual(['delivered', 'returned'])
    // The command's flags stay out of the order: --database may contain a password.
    const fields = Object.keys(picked)
    expect([delivered, returned].map((order) => Object.keys(order))).toEqual([fields, fields])
    expect((await operator.look<Item>(['items', 'show', qids[0]!])).status).toBe('received')
  })

  test('resolves a transfer once, when told to', async () => {
    const request = ['transfers', 'request', qids[1]!, '--external-ref', 'Caf\u00e9']
    const { id } = await operator.json<Transfer>(request)
    expect((await operator.json<Transfer>(['transfers', 'show', 'Cafe\u0301'])).id).toBe(id)
    expect((await warehouse('resolve-transfer', id, '--to', 'completed')).exitCode).toBe(2)
    const resolved = await done<Transfer>('resolve-transfer', 'Cafe\u0301', '--to', 'completed', '--yes')
    expect([resolved.id, resolved.status]).toEqual([id, 'completed'])
    expect((await warehouse('resolve-transfer', id, '--to', 'declined', '--yes')).exitCode).toBe(5)
    expect((await operator.look<Item>(['items', 'show', qids[1]!])).status).toBe('released')
  })

  test('leaves a consistent database', async () => {
    const { exitCode, stdout } = await operator.run(['db', 'check', '--database', 'live.db'])
    expect([exitCode, stdout]).toEqual([0, ''])
  })
})

describe('an impossible warehouse command', () => {
  test.each<[string, string, number, string]>([
    ['an unknown column', 'skuu\nX\n', 6, 'bad.csv has an unknown column "skuu": did you mean sku?'],
    ['a row that is neither a slab nor a product', 'name,quantity\nPikachu,1\n', 6, 'row 1'],
    [
      'two slabs with one certificate',
      'grader,grade,cert_number,quantity\nPSA,9,1,2\n',
      6,
      'quantity must be 1',
    ],
    [
      'a certificate that a spreadsheet damaged',
      'grader,grade,cert_number\nPSA,9,4.8E+07\n',
      6,
      'damaged by a spreadsheet',
    ],
    [
      'a product that is not in the catalog',
      'Item SKU\nPKM-151-ETB\n\nNOPE\n',
      6,
      'row 2, line 4  Item SKU "NOPE" is not in the catalog: create the product first',
    ],
  ])('%s: receives nothing', async (_, text, code, message) => {
    operator.write('bad.csv', text)
    const before = await operator.json(['items', 'summary'])
    const { exitCode, stderr } = await operator.run(['warehouse', 'intake', 'bad.csv'])
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)])
    expect(await operator.json(['items', 'summary'])).toEqual(before)
  })

  test.each<[string, string[], number, string]>([
    ['nothing to receive', ['intake'], 2, 'Nothing to receive'],
    [
      'a delivery without a file',
      ['intake', '--sku', 'A', '--delivery', 'D-1'],
      2,
      'is for a file of arrivals',
    ],
    ['an item, again', ['intake', '--sku', 'A', '--again'], 2, '--again is for a file of arrivals'],
    [
      'a delivery with --again',
      ['intake', 'arrivals.csv', '--delivery', 'D-1', '--again'],
      2,
      'cannot be used together',
    ],
    ['a delivery without a name', ['intake', 'arrivals.csv', '--delivery', ' '], 2, '--delivery is empty'],
    [
      'a quantity of a slab',
      ['intake', '--grader', 'PSA', '--quantity', '2'],
      2,
      '--quantity is for products',
    ],
    [
      "an item's flags together with a file",
      ['intake', 'arrivals.csv', '--again', '--quantity', '5', '--set', 'Jungle', '--flag', 'cracked_case'],
      2,
      '--quantity, --set, --flag cannot be used with a file.',
    ],
    [
      'one label for two orders',
      ['queue', 'A', 'B', '--carrier', 'ups', '--service', 'ups_ground', '--tracking-number', '1Z1'],
      2,
      'A label belongs to one fulfillment.',
    ],
    ['a missing database', ['pick', 'x', '--database', 'no.db'], 8, 'no.db does not exist.'],
    ['an unknown partner', ['pick', 'x', '--partner', 'Nobody'], 4, `It contains: ${partner} (production).`],
    ['an unknown order', ['pick', 'SO-404'], 4, 'There is no fulfillment with the id or reference "SO-404".'],
    [
      'an unknown transfer',
      ['resolve-transfer', 'SB-404', '--to', 'declined', '--yes'],
      4,
      'There is no transfer with the id or reference "SB-404".',
    ],
    ['an unknown manifest', ['intake', 'arrivals.csv', '--manifest', 'PO-404'], 4, 'There is no manifest'],
  ])('%s', async (_, args, code, message) => {
    const { exitCode, stderr } = await operator.run(['warehouse', ...args])
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(message)])
  })

  test('names every manifest or order with the reference', async () => {
    operator.write('two.csv', 'description\nBox\n')
    const submit = ['manifests', 'submit', 'two.csv', '--reference', 'TWICE', '--again']
    for (let times = 0; times < 2; times++) await operator.run(submit)
    const twice = await operator.json<Manifest[]>(['manifests', 'ls', '--reference', 'TWICE'])
    expect(twice).toHaveLength(2)
    const { exitCode, stderr } = await operator.run(['warehouse', 'receive', 'TWICE', '--scan'])
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('Several manifests have the reference "TWICE"; give the id of one.\n'),
    ])
    for (const { id } of twice) expect(stderr).toContain(`  ${id}  submitted, created `)
  })

  test('receives nothing if Ctrl-C ends an intake of a file with columns of another name', async () => {
    const slabs = Array.from({ length: 5000 }, (_, at) => `PSA,${70_000_000 + at},9,Card ${at}\n`)
    operator.write('theirs.csv', `grader,Cert,grade,name\n${slabs.join('')}`)
    const intake = operator.start(['warehouse', 'intake', 'theirs.csv', '--map', 'Cert=cert_number'])
    await new Promise((resolve) => intake.stderr?.once('data', resolve))
    intake.kill('SIGINT')
    const { signal } = await intake
    const found = await operator.look<Item[]>(['items', 'ls', '--cert-number', '70000000'])
    expect([signal, found]).toEqual(['SIGINT', []])
  })

  test('rejects a service: the target must be a database', async () => {
    const env = { CUSTODY_BASE_URL: 'http://127.0.0.1:9', CUSTODY_API_KEY: 'x' }
    const { exitCode, stderr } = await operator.run(['warehouse', 'pick', 'x'], { env })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Name a database with --database.')])
  })

  test('asks for the partner if a database holds several', async () => {
    const sandbox = ['--environment', 'sandbox', '--database', 'live.db']
    await operator.run(['admin', 'keys', 'create', partner, ...sandbox])
    const { exitCode, stderr } = await operator.run(['warehouse', 'pick', 'x', '--database', 'live.db'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${partner} (production), ${partner} (sandbox). Choose with --environment.`)
  })
})
