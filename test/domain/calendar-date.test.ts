import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isCalendarDate } from '../../src/domain/utc-time.ts'

test('every existing date is accepted', () => {
  const dates = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(dates, (date) => {
      expect(isCalendarDate(date.toISOString().slice(0, 10))).toBe(true)
    }),
  )
})

test.each([
  '2027-02-29',
  '2100-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-1-5',
  '01/31/2026',
  '2026-01-31T00:00:00Z',
  ' 2026-01-31',
  '2026-01-31 ',
  '2026-02-30',
  '+012026-01-31',
  '+012026-01',
  'yesterday',
  '',
])('%j is rejected as a date', (text) => {
  expect(isCalendarDate(text)).toBe(false)
})

test('29 February exists in leap years', () => {
  expect(isCalendarDate('2028-02-29')).toBe(true)
  expect(isCalendarDate('2000-02-29')).toBe(true)
})
