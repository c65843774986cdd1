import { describe, expect, test } from 'vitest'
import { empty, join, raw, sql } from '../../src/store/database.ts'

const isOf = (scope: number) => sql`scope_id = ${scope}`

describe('a statement', () => {
  test('has a placeholder for each value, numbered for PostgreSQL', () => {
    const { sql: text, text: numbered, values } = sql`select ${1} from items where qid = ${'Q'}`
    expect(text).toBe('select ? from items where qid = ?')
    expect(numbered).toBe('select $1 from items where qid = $2')
    expect(values).toEqual([1, 'Q'])
  })

  test('includes parts with their values, in any place', () => {
    const make = (a: number, b: number) =>
      sql`${raw('select')} ${a} ${empty} where ${isOf(b)} and ${join([sql`x = ${a}`, sql`y`, sql`z = ${b}`], ' and ')} or ${isOf(a)}`
    for (const [a, b] of [
      [1, 2],
      [3, 4],
    ] as const) {
      expect(make(a, b).text).toBe(
        'select $1  where scope_id = $2 and x = $3 and y and z = $4 or scope_id = $5',
      )
      expect(make(a, b).values).toEqual([a, b, a, b, a])
    }
  })

  test('differs if a part of its template replaces a value, or another part', () => {
    const make = (first: unknown, second: unknown) => sql`${first}, ${second}`.sql
    expect(make(1, 2)).toBe('?, ?')
    expect(make(isOf(1), 2)).toBe('scope_id = ?, ?')
    expect(make(1, isOf(2))).toBe('?, scope_id = ?')
    expect(make(empty, isOf(2))).toBe(', scope_id = ?')
    expect(make(isOf(1), empty)).toBe('scope_id = ?, ')
    expect(make(1, 2)).toBe('?, ?')
  })

  test('accepts lists of any length except zero', () => {
    for (const length of [1, 2, 3, 500]) {
      const list = join(Array.from({ length }, (_, at) => at))
      expect(list.sql).toBe(Array(length).fill('?').join(','))
      expect(list.values).toHaveLength(length)
    }
    expect(join([1, 2], ' or ').sql).toBe('? or ?')
    expect(() => join([])).toThrow(TypeError)
  })
})
