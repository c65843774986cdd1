import { describe, expect, it } from 'vitest'
// @ts-expect-error a script without types
import { partFaults } from '../../scripts/parts.mjs'

/** The build itself asks this of what it made, and stops on an answer. */
describe('the table of the parts of the build', () => {
  const made = { reached: ['cli/a.ts', 'cli/b.ts'], held: ['cli/a.ts', 'cli/c.ts'] }

  it('is without fault where each listed module is reached and each other is a file of its own', () => {
    expect(partFaults({ program: ['cli/a.ts'] }, made)).toEqual([])
  })

  it('names a listed module that does not exist, or that no import() reaches', () => {
    expect(partFaults({ program: ['cli/a.ts'], other: ['cli/moved.ts'] }, made)).toEqual([
      'cli/moved.ts is listed, but no import() reaches it',
    ])
  })

  it('names a part that a static import draws into a listed file', () => {
    expect(partFaults({}, made)).toEqual([
      'cli/a.ts is to be a part, but a listed file imports it statically',
    ])
  })
})
