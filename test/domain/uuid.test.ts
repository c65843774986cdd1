import { expect, test } from 'vitest'
import { firstUuidAt, isUuid, timeOfUuid } from '../../src/domain/uuid.ts'

const id = '019de2b6-7c80-7abc-8def-0123456789ab'

test.each([id, id.toUpperCase(), '6f9619ff-8b86-1011-b42d-00cf4fc964ff'])('%s is a UUID', (text) => {
  expect(isUuid(text)).toBe(true)
})

test.each([
  '',
  `${id}0`,
  `0${id}`,
  `${id}\n`,
  id.replace('b', 'g'),
  id.replaceAll('-', ''),
  id.slice(1),
  id.slice(0, -1),
  '019de2b-67c80-7abc-8def-0123456789ab',
  '019de2b6-7c80-7ab-c8def-0123456789ab',
])('%j is not a UUID', (text) => {
  expect(isUuid(text)).toBe(false)
})

test.each([
  ['2026-05-01T09:00:00.000Z', '019de2c4-2a80-7000-8000-000000000000'],
  ['1970-01-01T00:00:00.001Z', '00000000-0001-7000-8000-000000000000'],
])('%s begins with the UUID %s, and encodes it', (time, first) => {
  expect(firstUuidAt(time)).toBe(first)
  expect(timeOfUuid(first)).toBe(time)
})

test('the first UUID of all begins times before 1970', () => {
  expect(firstUuidAt('1969-12-31T23:59:59.999Z')).toBe('00000000-0000-7000-8000-000000000000')
})

test('the bytes after the time do not change it', () => {
  expect(timeOfUuid('019de2c4-2a80-7fff-bfff-ffffffffffff')).toBe('2026-05-01T09:00:00.000Z')
})
