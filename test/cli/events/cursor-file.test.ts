import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CursorWriter, openCursor, readCursor } from '../../../src/cli/events/cursor-file.ts'
import { callsOf } from '../../support/failing-files.ts'

const first = '0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d70'
const second = '0199a3c4-7a10-7c3e-9b1d-2f6a8e4c5d71'
let folder: string
let file: string
let synced: number
let printed: number
let kept: number
let cursor: CursorWriter
const output = {
  bytes: () => printed,
  sync: () => {
    synced += 1
    kept = printed
  },
  holds: (bytes: number) => bytes <= kept,
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'custody-cursor-'))
  file = join(folder, 'cursor')
  synced = printed = kept = 0
  cursor = openCursor(file, 'target', undefined)
})
afterEach(() => {
  cursor.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a cursor file', () => {
  test('is not created before the first save', () => {
    expect(readCursor(file, 'target')).toBe(undefined)
    expect(readdirSync(folder)).toEqual([])
  })

  test("holds its reader's position after each save, in one file only", () => {
    for (const after of [null, first, second, null, second]) {
      cursor.save(after)
      expect(readCursor(file, 'target')).toBe(after)
    }
    expect(readdirSync(folder)).toEqual(['cursor'])
  })

  test('is overwritten in place with its length and inode unchanged, and is on disk at the end', () => {
    cursor.save(null)
    const { ino, size } = statSync(file)
    cursor.save(first)
    expect(statSync(file)).toMatchObject({ ino, size })
    expect(callsOf(() => cursor.close())).toEqual(['writeSync', 'fdatasyncSync'])
  })

  test('is created again if it was deleted or replaced', () => {
    cursor.save(first)
    rmSync(file)
    cursor.save(second)
    expect(readCursor(file, 'target')).toBe(second)
  })

  test('syncs finished work before the cursor that records it, but not on every save', () => {
    cursor = openCursor(file, 'target', output)
    for (let n = 0; n < 1000; n++) cursor.save(first)
    expect(synced).toBeLessThan(100)
    cursor.save(second)
    const before = synced
    cursor.close()
    expect(synced).toBe(before + 1)
  })

  test('never says more than the printed file has on disk, whatever dies', () => {
    cursor = openCursor(file, 'target', output)
    cursor.save(null)
    const { ino, size } = statSync(file)
    const ids = Array.from({ length: 500 }, (_, at) => first.slice(0, -3) + String(at).padStart(3, '0'))
    for (const [at, id] of ids.entries()) {
      printed = at + 1
      cursor.save(id)
      // After a power cut, and after a kill that left the printed events.
      expect(readCursor(file, 'target', output)).toBe(kept === 0 ? null : ids[kept - 1])
      expect(readCursor(file, 'target', { ...output, holds: () => true })).toBe(id)
      expect(readCursor(file, 'target')).toBe(kept === 0 ? null : ids[kept - 1])
    }
    expect(statSync(file)).toMatchObject({ ino, size })
    cursor.close()
    expect(readCursor(file, 'target')).toBe(ids.at(-1))
  })

  test('does not move if the output cannot be synced', () => {
    let isBroken = false
    const sync = (): void => {
      if (isBroken) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' })
    }
    cursor = openCursor(file, 'target', { ...output, sync })
    cursor.save(first)
    isBroken = true
    printed = 1
    cursor.save(second)
    const message = `The cursor file ${file} cannot be written: the disk reports an error.`
    expect(() => cursor.close()).toThrow(expect.objectContaining({ ending: 'unreachable', message }))
    expect(readCursor(file, 'target', output)).toBe(first)
    isBroken = false
  })

  test('is resumed if an earlier version wrote it', () => {
    writeFileSync(file, `${JSON.stringify({ after: first, target: 'target' })}\n`)
    expect(readCursor(file, 'target')).toBe(first)
    cursor.save(second)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ after: second, target: 'target' })
  })
})
