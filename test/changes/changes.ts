import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An everyday change as a patch, and the tests that judge it. */
export type Change = {
  name: string
  patch: string
  /** The hand-written files that it changes. */
  files: readonly string[]
  /** These pass with the whole patch; without one of its files, or with a misspelling, the types or one of these fail. */
  tests: readonly string[]
  misspelt?: readonly [string, string]
}

const judges: Record<string, Pick<Change, 'tests' | 'misspelt'>> = {
  filter: { tests: ['test/engine/items-list-model.test.ts'] },
  'page-size': { tests: ['test/contract/limits.test.ts', 'test/service/requests.test.ts'] },
  'event-type': {
    tests: [
      'test/conformance/conformance.test.ts',
      'test/domain/log-state.test.ts',
      'test/domain/webhook-sample.test.ts',
    ],
  },
  column: { tests: [], misspelt: ["'set'", "'sett'"] },
  preset: { tests: ['test/cli/imports/presets.test.ts'] },
}

export const changes: readonly Change[] = Object.entries(judges).map(([name, judge]) => {
  const patch = join(import.meta.dirname, `${name}.patch`)
  const files = [...readFileSync(patch, 'utf8').matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, path = '']) => path)
  return { name, patch, files, ...judge }
})
