import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Fault, faults, faultsIn, planted } from '../faults/fault.ts'

const root = join(import.meta.dirname, '..', '..')

// `npm run test:faults` says whether they are found; this checks that each still applies.
describe('planted faults', () => {
  it.each(faults)('"$name" applies to $file', (fault) => {
    const sound = readFileSync(join(root, fault.file), 'utf8')
    expect(planted(fault, sound)).not.toBe(sound)
    expect(fault.tests.filter((test) => !existsSync(join(root, test)))).toEqual([])
  })

  it('have unique names', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
  })

  it('are rejected if their place is gone', () => {
    const [fault] = faultsIn('x\nx.ts by y.ts\n-a\n+b\n') as [Fault]
    expect(() => planted(fault, 'ccc')).toThrow('x.ts has its place 0 times')
    expect(() => planted(fault, 'aca')).toThrow('x.ts has its place 2 times')
  })
})
