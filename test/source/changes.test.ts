import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { changes } from '../changes/changes.ts'

const root = join(import.meta.dirname, '..', '..')

test.each(changes)(
  'the everyday change $name applies, and touches at most two places',
  async ({ patch, files }) => {
    const checked = await execa('git', ['apply', '--check', patch], { cwd: root, reject: false })
    expect([checked.exitCode, checked.stderr]).toEqual([0, ''])
    expect(files.filter((file) => file.startsWith('src/')).length).toBeLessThanOrEqual(2)
  },
)
