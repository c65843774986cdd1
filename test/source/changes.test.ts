import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { changes } from '../changes/changes.ts'

const root = join(import.meta.dirname, '..', '..')

test.each(changes)(
  'the everyday change $name fits, and is made in two places at most',
  ({ patch, files }) => {
    const { status, stderr } = spawnSync('git', ['apply', '--check', patch], { cwd: root, encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
    expect(files.filter((file) => file.startsWith('src/')).length).toBeLessThanOrEqual(2)
  },
)
