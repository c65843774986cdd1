import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import type { Manifest, ManifestReport } from '../../src/contract/resources/manifest.ts'
import { newOperator, type Operator } from '../support/operator.ts'

let operator: Operator

/** Submits a manifest of slabs; returns its id. */
async function submit(reference: string, ...certs: string[]): Promise<string> {
  const lines = certs.map((cert_number) => ({ description: 'Slab', grader: 'PSA', cert_number }))
  const { stdout } = await operator.run(['manifests', 'submit', '-', '--again', '--json'], {
    input: JSON.stringify({ reference, lines }),
  })
  return (JSON.parse(stdout) as Manifest).id
}

function scan(...codes: string[]) {
  return operator.run(['warehouse', 'receive', '--scan'], { input: `${codes.join('\n')}\n` })
}

function createProduct(name: string, sku: string, ...others: string[]) {
  const size = '--length 1 --width 1 --height 1 --dimension-unit in --weight 1 --weight-unit oz'.split(' ')
  return operator.run(['products', 'create', '--name', name, '--sku', sku, ...size, ...others])
}

beforeAll(async () => {
  operator = await newOperator('empty')
  const lines = [
    { external_ref: 'A', description: 'Pikachu', grader: 'PSA', cert_number: '48201934' },
    { external_ref: 'B', description: 'Raichu', grader: 'PSA', cert_number: '48201935' },
    { external_ref: 'C', description: 'Boxes', sku: 'BOX-1', quantity: 2 },
  ]
  await createProduct('Box', 'BOX-1')
  await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify({ reference: 'PO-7', lines }) })
})
afterAll(() => operator.leave())

describe('warehouse receive --scan', () => {
  beforeAll(() => submit('PO-9', '30000001', '30000002', '30000003'))

  test('answers each code with a word and a count, undoes the last, and books the rest', async () => {
    const { id } = await operator.look<Manifest>(['manifests', 'show', 'PO-7'])
    const codes = [
      `${id} PO-7`,
      '48201934',
      '8.5',
      '48201934 10',
      'BOX-1',
      'BOX-1',
      'BOX-1',
      'undo',
      'undo',
      '48201935 10',
      'UNDO',
      '99999999',
    ]
    const { exitCode, stdout, stderr } = await operator.run(['warehouse', 'receive', '--scan'], {
      input: `${codes.join('\r\n')}\n`,
    })
    expect(stdout.trimEnd().split('\n')).toEqual([
      'manifest\tPO-7, 4 units to come',
      'grade?\tof PSA 48201934: scan or type it',
      'ok\t1/4  A Pikachu',
      'twice\t48201934 was already received',
      'ok\t2/4  C Boxes',
      'ok\t3/4  C Boxes',
      'unexpected\t3/4  no line of the manifest still expects it',
      'undone\t3/4  BOX-1',
      'nothing\tto undo: only the last scan can be undone',
      'ok\t4/4  B Raichu',
      'undone\t3/4  48201935',
      'unknown\t99999999: no manifest expects it; put it aside',
    ])
    expect([exitCode, stderr]).toEqual([
      9,
      expect.stringMatching(/3 items received; 3 scans need attention\n$/),
    ])
    const { totals, lines } = await operator.json<ManifestReport>(['manifests', 'report', 'PO-7'])
    expect(totals).toMatchObject({ matched: 3, missing: 1, unexpected: 0 })
    const [qid = ''] = lines[0]?.matched_qids ?? []
    const later = await operator.run(['warehouse', 'receive', 'PO-7', '--scan', '--grade', '8'], {
      input: `${qid}\n48201935\n`,
    })
    expect([later.exitCode, later.stdout]).toEqual([
      0,
      `manifest\tPO-7, 1 units to come\nknown\t${qid} received Pikachu\nok\t1/1  B Raichu\n`,
    ])
    expect((await operator.json<ManifestReport>(['manifests', 'report', 'PO-7'])).totals.matched).toBe(4)
  })

  test('takes every grade that the slab’s grader gives, and rejects every other', async () => {
    const slabs = {
      PSA: ['80000011', '80000012'],
      CGC: ['1234567001'],
      SGC: ['8000021'],
      BGS: ['0012345678'],
    }
    const lines = Object.entries(slabs).flatMap(([grader, certs]) =>
      certs.map((cert_number) => ({ description: 'Slab', grader, cert_number })),
    )
    await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify({ reference: 'RM1', lines }) })
    const { stdout, exitCode } = await scan(
      'RM1',
      '80000011',
      '9.7',
      'BGS 9.5',
      'A',
      '80000012 Excellent',
      'https://www.psacard.com/cert/80000012 9.7',
      'https://www.psacard.com/cert/80000012 9 OC',
      'CGC 1234567001 Pristine 10',
      '8000021',
      '100',
      '0012345678 BGS 9.5',
      'BGS 0012345678 9.5',
      '99999998 A',
    )
    expect(stdout.trimEnd().split('\n')).toEqual([
      'manifest\tRM1, 5 units to come',
      'grade?\tof PSA 80000011: scan or type it',
      'grade?\t9.7 is not a grade that PSA gives',
      'grade?\tBGS 9.5 is not a grade that PSA gives',
      'ok\t1/5  Slab',
      'grade?\tExcellent is not a grade that its grader gives',
      'grade?\t9.7 is not a grade that PSA gives',
      'ok\t2/5  Slab',
      'ok\t3/5  Slab',
      'grade?\tof SGC 8000021: scan or type it',
      'ok\t4/5  Slab',
      'ok\t5/5  Slab',
      'twice\tBGS 0012345678 was already received',
      'unknown\t99999998: no manifest expects it; put it aside',
    ])
    expect(exitCode).toBe(9)
    const items = await operator.look<Item[]>(['items', 'ls', '--all'])
    const gradeOf = (cert: string) => items.find(({ cert_number }) => cert_number === cert)?.grade
    const certs = Object.values(slabs).flat()
    expect(certs.map(gradeOf)).toEqual(['A', '9 OC', 'Pristine 10', '100', '9.5'])
  })

  test('takes a grade after the name of the slab’s grader, also of a grader that custody does not know', async () => {
    const lines = [
      { description: 'Slab', grader: 'PSA', cert_number: '80000031' },
      { description: 'Slab', grader: 'Xyz', cert_number: '80000032' },
      { description: 'Slab', grader: 'Xyz', cert_number: '80000033' },
      { description: 'Slab', grader: 'Xyz', cert_number: '80000034' },
    ]
    await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify({ reference: 'RM2', lines }) })
    const codes = [
      '80000031',
      'psa 10',
      '80000032',
      'XYZ 9.5',
      '80000033 xyz 8',
      'PSA 10',
      '80000034',
      'PSA 10',
    ]
    const { stdout } = await scan('RM2', ...codes)
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual([
      'grade?\tof PSA 80000031: scan or type it',
      'ok\t1/4  Slab',
      'grade?\tof Xyz 80000032: scan or type it',
      'ok\t2/4  Slab',
      'ok\t3/4  Slab',
      'unknown\tPSA 10: no slab waits for a grade',
      'grade?\tof Xyz 80000034: scan or type it',
      'grade?\tPSA 10 is not a grade that XYZ gives',
    ])
    const items = await operator.look<Item[]>(['items', 'ls', '--grader', 'Xyz'])
    expect(items.map(({ grade }) => grade).sort()).toEqual(['8', '9.5'])
  })

  test('names a slab without a grade, and undo removes only that slab', async () => {
    const { exitCode, stdout, stderr } = await scan(
      'PO-9',
      '30000001',
      '30000002',
      '30000002 9',
      '30000003',
      'undo',
      '30000003',
    )
    expect(stdout.trimEnd().split('\n')).toEqual([
      'manifest\tPO-9, 3 units to come',
      'grade?\tof PSA 30000001: scan or type it',
      'grade?\tof PSA 30000002: scan or type it; 30000001 was not received: its grade is missing',
      'ok\t1/3  Slab',
      'grade?\tof PSA 30000003: scan or type it',
      'undone\t1/3  30000003',
      'grade?\tof PSA 30000003: scan or type it',
    ])
    expect([exitCode, stderr]).toEqual([
      9,
      expect.stringMatching(
        /\n30000003 was not received: its grade is missing\n1 item received; 2 scans need attention\n$/,
      ),
    ])
  })

  test('receives a second slab of a certificate, and any grade, with --no-lint', async () => {
    await submit('PO-NOLINT', '48201934', '48201988')
    const codes = ['48201934 9', '48201988 9.7']
    const input = `${codes.join('\n')}\n`
    const receive = ['warehouse', 'receive', 'PO-NOLINT', '--scan']
    const refused = await operator.run(receive, { input })
    expect(refused.stdout).toMatch(/^twice\t48201934 was already received: Q-.*\ngrade\?\t.*is not a grade/m)
    const ran = await operator.run([...receive, '--no-lint'], { input })
    expect([ran.exitCode, ran.stdout.match(/^ok/gm)?.length]).toEqual([0, 2])
    const found = await operator.look<Item[]>(['items', 'ls', '--cert-number', '48201934'])
    expect(found.map(({ grade }) => grade)).toContain('9')
    expect(found.length).toBeGreaterThan(1)
  })

  test('reports a slab as here already while the line of another grader’s equal number is open', async () => {
    const twins = ['PSA', 'SGC'].map((grader) => ({ description: grader, grader, cert_number: '30000021' }))
    const lines = [...twins, { description: 'Slab', grader: 'PSA', cert_number: '30000022' }]
    await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify({ reference: 'PO-14', lines }) })
    const url = 'https://www.psacard.com/cert/30000021/psa'
    const { stdout } = await scan('PO-14', `${url} 9`, url, '30000022 9', url, 'gosgc.com/cert/30000021 9')
    const [item] = await operator.look<Item[]>(['items', 'ls', '--cert-number', url])
    expect(stdout.trimEnd().split('\n').slice(1)).toEqual([
      'ok\t1/3  PSA',
      `twice\t${url} was already received`,
      'ok\t2/3  Slab',
      `twice\t${url} was already received: ${item?.qid}, received`,
      'ok\t3/3  SGC',
    ])
  })

  test('rejects a label of several manifests or of a closed one, and receives nothing for another', async () => {
    const ids = [await submit('PO-11', '30000005'), await submit('PO-11', '30000006')]
    const closed = await submit('PO-12', '30000007')
    await operator.json(['manifests', 'close', 'PO-12', '--yes'])
    const codes = [ids[0]!, 'PO-11', '30000005 9', 'BOX-1', ids[1]!, '30000006 9', closed, '30000007 9']
    const { exitCode, stdout, stderr } = await scan(...codes)
    const first = (code: string) => `refused\t${code}: scan the label of an open manifest first.`
    const late = 'PO-12 is closed: receive late arrivals with custody warehouse intake.'
    expect(stdout.trimEnd().split('\n')).toEqual([
      'manifest\tPO-11, 1 units to come',
      'refused\tSeveral manifests have this reference: scan the QR code of the label.',
      first('30000005 9'),
      first('BOX-1'),
      'manifest\tPO-11, 1 units to come',
      'ok\t1/1  Slab',
      `refused\t${late}`,
      first('30000007 9'),
    ])
    expect([exitCode, stderr]).toEqual([9, expect.stringContaining('1 item received; 5 scans')])
    const given = await operator.run(['warehouse', 'receive', 'PO-12', '--scan'])
    expect([given.exitCode, given.stderr]).toEqual([5, expect.stringContaining(late)])
  })

  test('names a scan that was received without its line, because the manifest was closed meanwhile', async () => {
    await submit('PO-15', '30000031', '30000032')
    const desk = operator.start(['warehouse', 'receive', 'PO-15', '--scan', '--grade', '9'])
    await once(desk.stdout!, 'data')
    desk.stdin!.write('30000031\n')
    await once(desk.stdout!, 'data')
    await operator.json(['manifests', 'close', 'PO-15', '--yes'])
    desk.stdin!.end('30000032\n')
    const { exitCode, stdout, stderr } = await desk
    const without = '30000031 was received without its line: the manifest was closed or complete by then'
    expect([exitCode, String(stdout).split('\n')[2], stderr]).toEqual([
      9,
      `refused\tPO-15 is closed: receive late arrivals with custody warehouse intake.; ${without}`,
      expect.stringContaining('1 item received; 2 scans need attention'),
    ])
    const late = ['--grader', 'PSA', '--grade', '9', '--cert-number', '30000032']
    const intake = await operator.run(['warehouse', 'intake', '--manifest', 'PO-15', ...late])
    expect([intake.exitCode, intake.stderr]).toEqual([
      0,
      expect.stringContaining('1 item, for no manifest: PO-15 is closed'),
    ])
  })

  test('finds the line that a product is matched to by its name, or before any label is scanned', async () => {
    const named = { reference: 'PO-17', lines: [{ external_ref: 'E', description: 'Box', quantity: 2 }] }
    await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify(named) })
    expect((await scan('PO-17', 'BOX-1', 'BOX-1', 'BOX-1')).stdout.split('\n').slice(1, 4)).toEqual([
      'ok\t1/2  E Box',
      'ok\t2/2  E Box',
      'unexpected\t2/2  no line of the manifest still expects it',
    ])
    const lines = [{ external_ref: 'D', description: 'Late box', sku: 'BOX-1' }]
    await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify({ reference: 'PO-16', lines }) })
    const { exitCode, stdout } = await scan('BOX-1', 'BOX-1')
    expect([exitCode, stdout]).toEqual([
      0,
      'ok\t1  D Late box\nunexpected\t1  no line of any manifest still expects it\n',
    ])
    const { totals } = await operator.json<ManifestReport>(['manifests', 'report', 'PO-16'])
    expect(totals).toMatchObject({ matched: 1, unexpected: 0 })
  })

  test('finds a product by its barcode, and reads a SKU and a reference in any letter case', async () => {
    await createProduct('Elite Box', 'ETB-1', '--upc', '820650853227')
    await createProduct('Case', 'CASE-1', '--upc', '0820650853999')
    await createProduct('Open case', 'CASE-2', '--upc', '820650853999')
    const lines = [{ external_ref: 'F', description: 'Elite Box', sku: 'ETB-1', quantity: 4 }]
    await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify({ reference: 'PO-18', lines }) })
    const codes = ['po-18', '820650853227', '0820650853227', 'etb-1', '820650853999', 'UNDO']
    const { exitCode, stdout } = await scan(...codes)
    expect([exitCode, stdout.trimEnd().split('\n')]).toEqual([
      9,
      [
        'manifest\tPO-18, 4 units to come',
        'ok\t1/4  F Elite Box',
        'ok\t2/4  F Elite Box',
        'ok\t3/4  F Elite Box',
        'refused\t820650853999 may be CASE-1 or CASE-2: type the SKU.',
        'undone\t2/4  ETB-1',
      ],
    ])
    const { totals } = await operator.json<ManifestReport>(['manifests', 'report', 'PO-18'])
    expect(totals).toMatchObject({ matched: 2, unexpected: 0 })
  })

  test('reads the GTIN of a GS1 code as the barcode', async () => {
    await createProduct('Booster', 'BST-1', '--upc', '820650853111')
    const codes = [
      '(01)00820650853111(10)A7',
      ']C10100820650853111',
      '\u001d010082065085311117261130\u001d10A7',
      ']C10110820650853118',
    ]
    const { stdout } = await scan(...codes, '0100820650853111')
    expect(stdout.trimEnd().split('\n')).toEqual([
      ...codes.slice(1).map(() => 'unexpected\t0  no line of any manifest still expects it'),
      'unknown\t10820650853118: no manifest expects it; put it aside',
      'unknown\t0100820650853111: no manifest expects it; it is too long for one code: scan one code at a time',
    ])
  })

  test('reads a code between the control characters and behind the symbology identifier that a scanner sends', async () => {
    await submit('PO-22', '35550021', '35550022')
    const codes = [
      ']C1PO-22',
      '\u000235550021\t9\u0003\r',
      ']Q3https://www.psacard.com/cert/35550022',
      ']A09',
    ]
    const { stdout } = await scan(...codes, ']E0', '\u001dBOX-1\u001d')
    expect(stdout.split('\n').map((line) => line.split('\t')[0])).toEqual([
      'manifest',
      'ok',
      'grade?',
      'ok',
      'unexpected',
      '',
    ])
  })

  test('says what to do about two codes in one scan, a wrong keyboard language, a QID of no item, and a grade for no slab', async () => {
    const about = 'no manifest expects it'
    expect(
      (await scan('4820193448201935', 'httpsÖ--psacard.com-cert-1', 'q-0000-0000-0000', '9.5')).stdout,
    ).toBe(
      [
        `unknown\t4820193448201935: ${about}; it is too long for one code: scan one code at a time`,
        `unknown\thttpsÖ--psacard.com-cert-1: ${about}; check that the scanner has the keyboard language of this computer`,
        'unknown\tq-0000-0000-0000: no item has this QID; put it aside',
        'unknown\t9.5: no slab waits for a grade\n',
      ].join('\n'),
    )
  })

  test('is suggested if --scan is missing', async () => {
    const { exitCode, stderr } = await operator.run(['warehouse', 'receive'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('custody warehouse intake')])
  })
})
