import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'

const memory = join(import.meta.dirname, '../../../src/cli/base/memory.ts')

/** In a process of its own, because the settings are the whole process's. */
const script = `
import { getHeapSpaceStatistics } from 'node:v8'
import { giveMemoryBack } from ${JSON.stringify(memory)}
const MiB = 1024 * 1024
const forNewObjects = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / MiB
const bytes = Buffer.alloc(160 * MiB, 1)
const objects = () => Array.from({ length: 500_000 }, (_, n) => ({ n }))
const kept = Array.from({ length: 6 }, objects)
await giveMemoryBack()
const given = forNewObjects()
kept.push(objects())
console.log(JSON.stringify([given, forNewObjects(), bytes.length, kept.length]))
`

test('a process that gave memory back keeps two halves of four megabytes for new objects', async () => {
  const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', script])
  expect(JSON.parse(stdout).slice(0, 2)).toEqual([8, 8])
})
