import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Manifest, ManifestReport } from '../../src/contract/resources/manifest.ts'
import { newOperator, type Operator } from '../support/operator.ts'

let operator: Operator

beforeAll(async () => {
  operator = await newOperator('empty')
  const lines = [
    { external_ref: 'A', description: 'Pikachu', grader: 'PSA', cert_number: '48201934' },
    { external_ref: 'B', description: 'Raichu', grader: 'PSA', cert_number: '48201935' },
    { external_ref: 'C', description: 'Boxes', sku: 'BOX-1', quantity: 2 },
  ]
  const product = [
    'products',
    'create',
    '--name',
    'Box',
    '--sku',
    'BOX-1',
    '--weight',
    '1',
    '--weight-unit',
    'oz',
  ]
  const size = ['--length', '1', '--width', '1', '--height', '1', '--dimension-unit', 'in']
  await operator.run([...product, ...size])
  await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify({ reference: 'PO-7', lines }) })
})
afterAll(() => operator.leave())

describe('warehouse receive --scan', () => {
  test('answers each code with a word and a count, undoes the last, and books the rest', async () => {
    const { id } = await operator.json<Manifest>(['manifests', 'show', 'PO-7'])
    const codes = [
      `${id} PO-7`,
      '48201934',
      '9.5',
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
      'twice\t48201934 is here already',
      'ok\t2/4  C Boxes',
      'ok\t3/4  C Boxes',
      'unexpected\t4/4  on no line of the manifest',
      'undone\t3/4  BOX-1',
      'nothing\tto undo: only the last scan can be',
      'ok\t4/4  B Raichu',
      'undone\t3/4  48201935',
      'unknown\t99999999: put it aside',
    ])
    expect([exitCode, stderr]).toEqual([
      9,
      expect.stringMatching(/3 items taken in; 3 scans were of nothing that can be\n$/),
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

  test('without --scan says what there is', async () => {
    const { exitCode, stderr } = await operator.run(['warehouse', 'receive'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('custody warehouse intake')])
  })
})
