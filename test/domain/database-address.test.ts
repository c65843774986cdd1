import { expect, test } from 'vitest'
import { isDatabaseAddress, shownPlace } from '../../src/domain/database-address.ts'

test.each([
  'postgres://custody:sesame@db.internal/custody',
  'postgresql://custody:ses@me@db.internal/custody',
  'postgres://custody:ses/ame@db.internal:5432/custody',
  'POSTGRES://custody:#sesame?@db.internal/custody?sslmode=require',
  'postgres://custody@db.internal/custody?password=sesame&sslmode=require',
])('an address is shown without its password, however it is written: %s', (address) => {
  expect(shownPlace(address)).toContain('custody@db.internal')
  expect(shownPlace(address)).not.toMatch(/ses|ame/)
})

test('a rejected address hides its password too, also in lists of profiles', () => {
  expect(shownPlace('postgress://custody:sesame@db.internal/custody')).toBe(
    'postgress://custody@db.internal/custody',
  )
})

test('a password removed from the query leaves a mark', () => {
  expect(shownPlace('postgres://db/custody?password=sesame&sslmode=require')).toBe(
    'postgres://db/custody?password=\u2026&sslmode=require',
  )
})

test.each([
  ['postgres://db/custody', true],
  ['postgresql://db/custody', true],
  ['POSTGRES://db/custody', true],
  ['data/postgres://db', false],
  ['postgress://db', false],
  ['custody.db', false],
])('%s is an address of a database: %s', (place, is) => {
  expect(isDatabaseAddress(place)).toBe(is)
})

test('a file is shown unchanged', () => {
  for (const path of ['/data/c:d@e.db', 'what?password=x.db', 'C:/data/a:b@c.db', '/data/xy://a:b@c.db'])
    expect(shownPlace(path)).toBe(path)
})
