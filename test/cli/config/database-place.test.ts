import { describe, expect, test } from 'vitest'
import { placeNamed } from '../../../src/cli/connection/database-place.ts'
import { resolveTarget } from '../../../src/cli/connection/target.ts'

describe('a database as an operator names it', () => {
  test.each([
    ['x.db', '/here/x.db'],
    ['/data/x.db', '/data/x.db'],
    ['sqlite:x.db', '/here/x.db'],
    ['SQLite:/data/x.db', '/data/x.db'],
    ['sqlite:///data/x.db', '/data/x.db'],
    ['file:x.db', '/here/file:x.db'],
    ['postgres://me@db/x', 'postgres://me@db/x'],
    ['PostgreSQL://me@db/x', 'PostgreSQL://me@db/x'],
  ])('%s means %s', (text, place) => {
    expect(placeNamed(text, '--database', '/here')).toBe(place)
  })

  test.each([
    ['postgress://me:sesame@db/x', 'postgress://'],
    ['mysql://me:sesame@db/x', 'mysql://'],
    ['postgres+ssl://me:sesame@db/x', 'postgres+ssl://'],
    ['postgres:me:sesame@db/x', 'postgres:'],
    ['sqlite:postgres://me:sesame@db/x', 'postgres://'],
  ])('%s is rejected by name without repeating its password', (text, scheme) => {
    const naming = () => placeNamed(text, '--to', '/here')
    expect(naming).toThrow(`--to: a database address cannot start with "${scheme}".`)
    expect(naming).not.toThrow('sesame')
    expect(naming).toThrow(expect.objectContaining({ ending: 'usage' }))
  })

  test('is attributed to the variable or profile that names it wrongly', () => {
    const around = {
      cwd: '/here',
      defaultDatabase: '',
      config: () => ({
        profiles: { old: { database: 'mysql://db/x', partner: 'A', environment: 'sandbox' as const } },
      }),
    }
    const inVariable = () => resolveTarget({}, { ...around, env: { CUSTODY_DATABASE: 'sqlite:' } })
    expect(inVariable).toThrow('CUSTODY_DATABASE: sqlite: names no file.')
    const inProfile = () => resolveTarget({ profile: 'old' }, { ...around, env: {} })
    expect(inProfile).toThrow('The profile old: a database address cannot start with "mysql://".')
  })
})
