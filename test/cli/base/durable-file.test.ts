import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { draftOf, withDraft } from '../../../src/cli/base/drafts.ts'
import { appendToFile, makeFolder, ownerOnly, replaceFile } from '../../../src/cli/base/durable-file.ts'
import { callsOf, failingAt } from '../../support/failing-files.ts'

const root = join(import.meta.dirname, '..', '..', '..')
let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'custody-durable-'))
  file = join(folder, 'config.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a file that the tool replaces', () => {
  test('is written to a draft, synced, and renamed, and its folder is synced', () => {
    const [draft] = [draftOf(file).split('/').at(-1)]
    expect(callsOf(() => replaceFile(file, 'new', ownerOnly)).filter(isNoRemoval)).toEqual([
      `openSync ${draft}`,
      'writeFileSync',
      'fsyncSync',
      `renameSync ${draft}`,
      `openSync ${folder.split('/').at(-1)}`,
      'fsyncSync',
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test.each(['dies', 'ENOSPC', 'EROFS', 'EIO'] as const)('is the old or the new one if it %s', (how) => {
    for (let at = 1, isReached = true; isReached; at++) {
      writeFileSync(file, 'old')
      isReached = failingAt(at, how, () => {
        try {
          replaceFile(file, 'new', ownerOnly)
        } catch (error) {
          if (how === 'dies') throw error
        }
      })
      expect(['old', 'new']).toContain(readFileSync(file, 'utf8'))
    }
    expect(readFileSync(file, 'utf8')).toBe('new')
  })

  test("keeps the old one's permissions", () => {
    writeFileSync(file, 'old', { mode: 0o600 })
    replaceFile(file, 'new', 0o666)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('is found through a link; a link in place of its draft is not followed', () => {
    const other = join(folder, 'other')
    writeFileSync(other, 'precious')
    symlinkSync(other, draftOf(file))
    replaceFile(file, 'new', ownerOnly)
    symlinkSync('config.json', join(folder, 'link'))
    replaceFile(join(folder, 'link'), 'newer', ownerOnly)
    expect([other, file].map((path) => readFileSync(path, 'utf8'))).toEqual(['precious', 'newer'])
  })

  test("is on disk after an append, and so is a new folder's name", () => {
    writeFileSync(file, '')
    expect(callsOf(() => appendToFile(file, 'x')).slice(1)).toEqual(['appendFileSync', 'fdatasyncSync'])
    const name = folder.split('/').at(-1)
    const calls = callsOf(() => makeFolder(join(folder, 'a', 'b')))
    expect(calls).toEqual([
      ...['mkdirSync a', `openSync ${name}`, 'fsyncSync'],
      ...['mkdirSync b', 'openSync a', 'fsyncSync'],
    ])
    expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
  })
})

describe('drafts', () => {
  test('a dead process leaves drafts that the next draft deletes; those of running processes stay', () => {
    const mine = draftOf(file)
    const gone = mine.replace(/-\d+-\d+\.tmp$/, '-1-7.new')
    const stranger = mine.replace(/[0-9a-f]{8}-\d+-(\d+)\.tmp$/, '00000000-1-$1.part')
    const forgotten = `${stranger}-wal`
    for (const path of [gone, `${gone}-wal`, stranger, forgotten]) writeFileSync(path, 'x')
    utimesSync(forgotten, 1, 1)
    draftOf(join(folder, 'sandbox.db'))
    expect(readdirSync(folder)).toEqual([stranger.split('/').at(-1)])
  })

  test("take SQLite's own files with them when they fail or end", async () => {
    const failing = withDraft(file, async (draft) => {
      for (const end of ['', '-wal', '-shm', '-journal']) writeFileSync(draft + end, 'x')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(readdirSync(folder)).toEqual([])
  })

  test('are not named in errors, which name the file', async () => {
    const failing = withDraft(file, async (draft) => {
      throw new Error(`The disk that holds ${draft} is full: remove ${draft}-wal.`)
    })
    await expect(failing).rejects.toThrow(`The disk that holds ${file} is full: remove ${file}-wal.`)
    const blocked = join(file, 'below')
    writeFileSync(file, '')
    expect(() => replaceFile(blocked, '', ownerOnly)).toThrow(
      expect.objectContaining({ path: blocked, message: expect.stringContaining(`'${blocked}'`) }),
    )
  })

  test.each(['80', '0'])(
    'go at a signal while a spinner turns in a terminal of %s columns',
    async (COLUMNS) => {
      const script = `
      import { writeFileSync } from 'node:fs'
      import { withDraft } from '${join(root, 'src/cli/base/drafts.ts')}'
      import { startSpinner } from '${join(root, 'src/cli/output/spinner.ts')}'
      const spinner = startSpinner()
      await withDraft('backup.db', (draft) => {
        writeFileSync(draft, 'x')
        for (spinner.text of ['1 of 3', '2 of 3']) spinner.render()
        process.kill(process.pid, 'SIGINT')
        return new Promise((resolve) => setTimeout(resolve, 20_000))
      })`
      const { signal } = await execa(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: folder,
        env: { NODE_OPTIONS: `--require "${join(root, 'test/support/pretend-terminal.cjs')}"`, COLUMNS },
        reject: false,
        timeout: 15_000,
        killSignal: 'SIGKILL',
      })
      expect([signal, readdirSync(folder)]).toEqual(['SIGINT', []])
    },
  )
})

function isNoRemoval(call: string): boolean {
  return !call.startsWith('rmSync')
}
