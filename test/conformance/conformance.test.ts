import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entries } from '../../src/conformance/entries.ts'
import { examine } from '../../src/conformance/run.ts'
import { openWorld, type World } from '../../src/conformance/world.ts'
import { type Opened, ways } from './subjects.ts'

describe.each(ways)('conformance $way', ({ way, open }) => {
  let opened: Opened
  let world: World
  beforeAll(async () => {
    opened = await open()
    world = await openWorld(opened.subject)
  })
  afterAll(() => opened.close())

  test.each(entries)('$clause $text', async (check) => {
    const isSeen = check.over === undefined || way.startsWith('over HTTP')
    const { verdict, seen } = await examine(world, check)
    expect(`${verdict} ${seen}`).toBe(isSeen ? 'ok ' : 'not seen only HTTP has it; give --base-url')
  })
})

test('every clause has one entry, whose text fits a line', () => {
  const clauses = entries.map(({ clause }) => clause)
  expect(clauses).toEqual([...new Set(clauses)])
  expect(entries.filter(({ text }) => text.length > 125)).toEqual([])
})
