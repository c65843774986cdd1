import { expect, test } from 'vitest'
import { shownPlace } from '../../src/domain/database-address.ts'

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

test('an address of a kind that is refused keeps its password to itself too, in lists of profiles', () => {
  expect(shownPlace('postgress://custody:sesame@db.internal/custody')).toBe(
    'postgress://custody@db.internal/custody',
  )
})

test('a file is shown as it is', () => {
  expect(shownPlace('/data/c:d@e.db')).toBe('/data/c:d@e.db')
})
