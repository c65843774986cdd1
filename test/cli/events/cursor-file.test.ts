import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CursorWriter, openCursor, readCursor } from '../../../src/cli/events/cursor-file.ts'

const first = '0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70'
const second = '0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d71'
let folder: string
let file: string
let synced: number
let cursor: CursorWriter

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'custody-cursor-'))
  file = join(folder, 'cursor')
  synced = 0
  cursor = openCursor(file, 'target', () => {
    synced += 1
  })
})
afterEach(() => {
  cursor.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a cursor file', () => {
  test('is not made before the first save', () => {
    expect(readCursor(file, 'target')).toBe(undefined)
    expect(readdirSync(folder)).toEqual([])
  })

  test('tells after each save where its reader stands, in one file and no other', () => {
    for (const after of [null, first, second, null, second]) {
      cursor.save(after)
      expect(readCursor(file, 'target')).toBe(after)
    }
    expect(readdirSync(folder)).toEqual(['cursor'])
  })

  test('is written over in place: its length and its file stay the same', () => {
    cursor.save(null)
    const { ino, size } = statSync(file)
    cursor.save(first)
    expect(statSync(file)).toMatchObject({ ino, size })
  })

  test('that was taken away, or replaced, is made again', () => {
    cursor.save(first)
    rmSync(file)
    cursor.save(second)
    expect(readCursor(file, 'target')).toBe(second)
  })

  test('puts what is done on the disk before the cursor that says so, not for each save', () => {
    for (let n = 0; n < 1000; n++) cursor.save(first)
    expect(synced).toBeLessThan(100)
    cursor.save(second)
    const before = synced
    cursor.close()
    expect(synced).toBe(before + 1)
  })

  test('as an earlier version wrote it is gone on from', () => {
    writeFileSync(file, `${JSON.stringify({ after: first, target: 'target' })}\n`)
    expect(readCursor(file, 'target')).toBe(first)
    cursor.save(second)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ after: second, target: 'target' })
  })
})
