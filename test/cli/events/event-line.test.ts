import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { plainStyle } from '../../../src/cli/base/style.ts'
import { eventLine } from '../../../src/cli/events/event-line.ts'
import { webhookEventTypes } from '../../../src/contract/enums.ts'
import type { WebhookEvent } from '../../../src/contract/resources/event.ts'
import { collectingOutlet } from '../collecting-outlet.ts'

const totals = { expected: 12, matched: 10, missing: 2, condition_mismatch: 0, unexpected: 1 }
const data: Array<Record<string, unknown>> = [
  {
    qid: 'Q-7F3K-9M2P-X4TA',
    condition_flags: ['damaged'],
    item: { name: 'リザードンex SAR 201/165 ポケモンカード151' },
  },
  { external_ref: '注文-長い参照', status: 'delivered', qids: ['a', 'b'] },
  { manifest_id: 'PO-7', totals },
]

test('an event is one line no wider than the terminal, whatever it contains', () => {
  for (const type of [...webhookEventTypes, 'something.quite.new.with.a.name.that.nobody.thought.of']) {
    for (const each of data) {
      for (const columns of [20, 40, 59, 60, 61, 80, 99, 100, 140, 300]) {
        const line = lineOf(type, each, columns)
        expect(line).toMatch(/^[^\n]+\n$/)
        expect([line, columns, stringWidth(line.slice(0, -1)) <= columns]).toEqual([line, columns, true])
      }
    }
  }
})

test('a reference is never cut from 60 columns on; the change gets the rest, or the line grows', () => {
  for (const columns of [60, 80, 140])
    for (const external_ref of ['WEB-2026-11-26-00000020418', `注文-${'長い参照'.repeat(20)}`])
      expect(lineOf('fulfillment.returned', { external_ref, status: 'returned' }, columns)).toContain(
        external_ref,
      )
  const reference = 'PO-2026-AUTUMN-SHOW-STOCKHOLM-0101'
  expect(lineOf('manifest.reconciliation.completed', { ...data[2], manifest_id: reference }, 80)).toBe(
    `05-01 11:00:05  manifest.reconciliation  ${reference}  10…\n`,
  )
})

test('the type is shortened at 80 columns, and whole at 100', () => {
  const [first = {}, , last = {}] = data
  expect(lineOf('item.intake.completed', first, 80)).toMatch(
    /^05-01 11:00:05 {2}item\.intake {14}Q-7F3K-9M2P-X4TA {2}received \(damaged\)…\n$/,
  )
  expect(lineOf('item.intake.completed', first, 100)).toMatch(
    /^2026-05-01 11:00:05 {2}item\.intake\.completed {14}Q-7F3K-9M2P-X4TA {2}received \(damaged\) リザー…\n$/,
  )
  expect(lineOf('manifest.reconciliation.completed', { ...last, manifest_id: 'PO-7' }, 80)).toBe(
    '05-01 11:00:05  manifest.reconciliation  PO-7              10 of 12 matched, 2…\n',
  )
  const short = webhookEventTypes.map((type) => lineOf(type, {}, 80).slice(16, 39).trimEnd())
  expect(new Set(short).size).toBe(webhookEventTypes.length)
  expect(short.join('')).not.toContain('…')
})

test('below 79 columns the change replaces the date, and below 60 the line is cut', () => {
  const declined = { external_ref: 'SB-0302', status: 'declined' }
  expect(lineOf('transfer.declined', declined, 60)).toBe(
    '11:00:05  transfer.declined  SB-0302  → declined  0 items\n',
  )
  expect(lineOf('transfer.declined', declined, 40)).toBe('11:00:05  transfer.declined  SB-0302  →…\n')
})

function lineOf(type: string, fields: Record<string, unknown>, columns: number): string {
  const created_at = new Date(2026, 4, 1, 11, 0, 5).toISOString()
  const event = { id: 'e', type, created_at, data: fields } as unknown as WebhookEvent
  return eventLine(event, collectingOutlet({ isTerminal: true, columns }), plainStyle)
}
