import { describe, expect, test } from 'vitest'
import { receivedUnitsMax } from '../../src/contract/limits.ts'
import type { ManifestLine } from '../../src/contract/resources/manifest.ts'
import type { Receive } from '../../src/contract/resources/sandbox.ts'
import {
  checkReceive,
  planReceipt,
  receiveFaults,
  simulatedArrival,
  unknownLineFaults,
} from '../../src/domain/items/simulated-receipt.ts'

const lineOf = (id: string, more: Partial<ManifestLine> = {}) =>
  ({ id, description: `line ${id}`, sku: null, grader: null, cert_number: null, ...more }) as ManifestLine
const lines = [
  { line: lineOf('a'), awaited: 2 },
  { line: lineOf('b'), awaited: 0 },
  { line: lineOf('c'), awaited: 1 },
]

/** What arrives, as `line*quantity` with its flags; a plus sign marks units beyond those expected. */
const received = (request: Receive, awaited = lines): string[] =>
  planReceipt(request, awaited).map(
    ({ line, quantity, condition_flags, isExtra }) =>
      `${line.id}*${quantity}${condition_flags.map((flag) => ` ${flag}`).join('')}${isExtra ? '+' : ''}`,
  )

describe('simulated arrivals of a manifest (decisions 10, 11)', () => {
  test.each<[Receive, string[], string[]]>([
    [{ outcome: 'complete' }, ['a*2', 'c*1'], []],
    [{}, ['a*2', 'c*1'], []],
    [{ outcome: 'short' }, ['a*2', 'c*0'], []],
    [{ outcome: 'excess' }, ['a*2', 'c*1', 'c*1+'], ['b*1+']],
    [{ outcome: 'damaged' }, ['a*1 damaged', 'a*1', 'c*1'], []],
  ])('%j', (request, all, nothingAwaited) => {
    expect(received(request)).toEqual(all)
    expect(received(request, lines.slice(1, 2))).toEqual(nothingAwaited)
    expect(received(request, [])).toEqual([])
  })

  test('have one unit short or damaged of one of three lines', () => {
    const three = [...lines, { line: lineOf('d'), awaited: 4 }]
    expect(received({ outcome: 'short' }, three)).toEqual(['a*2', 'c*1', 'd*3'])
    expect(received({ outcome: 'damaged' }, three)).toEqual(['a*1 damaged', 'a*1', 'c*1', 'd*4'])
  })

  test('follow named lines in their order, with their flags, in any case', () => {
    const named = [
      { line_id: 'C', quantity: 3, condition_flags: ['bent'] },
      { line_id: 'a', quantity: 1, condition_flags: [] },
    ]
    expect(received({ lines: named })).toEqual(['c*3 bent', 'a*1'])
  })

  test('name an unknown line by its place', () => {
    const named = [
      { line_id: 'a', quantity: 1, condition_flags: [] },
      { line_id: 'x', quantity: 1, condition_flags: [] },
    ]
    const fields = { 'lines[1].line_id': ['is not a line of this manifest'] }
    expect(() => planReceipt({ lines: named }, lines)).toThrow(expect.objectContaining({ extra: { fields } }))
    expect(unknownLineFaults([undefined, {}, { line_id: 'A' }], new Set(['a']))).toEqual({})
    expect(unknownLineFaults(undefined, new Set())).toEqual({})
  })

  test('never exceed the maximum of one receipt', () => {
    const just = [{ line: lineOf('a'), awaited: receivedUnitsMax }]
    expect(received({ outcome: 'complete' }, just)).toEqual([`a*${receivedUnitsMax}`])
    const fault = [
      `brings ${receivedUnitsMax + 1} units: at most ${receivedUnitsMax} can be received at once`,
    ]
    expect(() => planReceipt({ outcome: 'excess' }, just)).toThrow(
      expect.objectContaining({ extra: { fields: { outcome: fault } } }),
    )
    const named = [{ line_id: 'a', quantity: receivedUnitsMax + 1, condition_flags: [] }]
    expect(() => planReceipt({ lines: named }, just)).toThrow(
      expect.objectContaining({ extra: { fields: { lines: fault } } }),
    )
  })

  test('need an outcome or lines, not both', () => {
    expect(receiveFaults({})).toEqual({ outcome: ['is required when there are no lines'] })
    expect(receiveFaults({ outcome: 'short', lines: [] })).toEqual({
      lines: ['cannot be combined with outcome'],
    })
    expect([receiveFaults({ outcome: 'short' }), receiveFaults({ lines: [] })]).toEqual([{}, {}])
    expect(() => checkReceive({ outcome: 'short' })).not.toThrow()
    expect(() => checkReceive({})).toThrow(expect.objectContaining({ code: 'validation_error' }))
  })
})

describe('a simulated unit', () => {
  const unit = (line: Partial<ManifestLine>, isExtra?: true) =>
    simulatedArrival(
      { line: lineOf('a', line), quantity: 1, condition_flags: ['bent'], ...(isExtra && { isExtra }) },
      new Uint8Array([1, 2, 3, 4]),
    )
  const slab = { type: 'graded_slab', name: 'line a', grade: '9', condition_flags: ['bent'] }

  test.each([
    [{ sku: 'BOX' }, { type: 'product', sku: 'BOX', condition_flags: ['bent'] }],
    [
      { sku: 'BOX', cert_number: '7' },
      { ...slab, grader: 'PSA', cert_number: '7' },
    ],
    [
      { grader: 'BGS', cert_number: '7' },
      { ...slab, grader: 'BGS', cert_number: '7' },
    ],
    [{}, { ...slab, grader: 'PSA', cert_number: '26909060' }],
  ])('takes type, grader, and certificate from a line with %j', (line, arrival) => {
    expect(unit(line)).toEqual(arrival)
  })

  test('has a certificate of its own if it is extra', () => {
    expect(unit({ cert_number: '7' }, true)).toMatchObject({ cert_number: '26909060' })
  })
})
