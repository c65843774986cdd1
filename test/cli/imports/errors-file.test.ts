import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { errorColumns, withoutGuards } from '../../../src/cli/files/file-kind.ts'
import {
  checkErrorsFile,
  type ErrorsFile,
  errorsNameOf,
  openErrorsFile,
} from '../../../src/cli/imports/errors-file.ts'
import { readCsv } from '../../../src/domain/csv/csv-file.ts'
import { callsOf, failingAt } from '../../support/failing-files.ts'

let folder: string
let notices: string[]
const failed = { row: 3, code: 'validation_error', message: 'sku is required.' }

beforeEach(() => {
  notices = []
  folder = mkdtempSync(join(tmpdir(), 'custody-errors-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the file of failed rows', () => {
  test('is not created before a row has failed', () => {
    const file = open('a.errors.csv', ['name', 'sku'])
    file.write([])
    expect([file.settle(), existsSync(join(folder, 'a.errors.csv'))]).toEqual([undefined, false])
  })

  test('has the original columns and the errors, and no cell is a formula', () => {
    const file = open('a.errors.csv', ['name', '=sku'])
    file.write([{ ...failed, values: ['=1+1, "x"\nline', ' 007 '] }])
    expect(read()).toBe(
      `\ufeffname,'=sku,error_row,error_code,error_message\n"'=1+1, ""x""\nline"," 007 ",3,validation_error,sku is required.\n`,
    )
  })

  test('keeps the permissions of the imported file', () => {
    const modes = [0o600, 0o644].map((mode, index) => {
      writeFileSync(join(folder, 'a.csv'), '')
      chmodSync(join(folder, 'a.csv'), mode)
      open(`${index}.errors.csv`, ['name']).write([{ ...failed, values: ['A customer'] }])
      return statSync(join(folder, `${index}.errors.csv`)).mode & 0o077
    })
    expect(modes).toEqual([0, 0o044 & ~process.umask()])
  })

  test('restores every cell on import, and has no formula wherever a spreadsheet splits it', () => {
    const cell = fc.string({ unit: fc.constantFrom(...`'=+-@\t\r\n"7 ,;`, '＝', 'x') })
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 2 }), (values) => {
        rmSync(join(folder, 'a.errors.csv'), { force: true })
        open('a.errors.csv', ['name', 'sku']).write([{ ...failed, values }])
        const known = ['name', 'sku', ...errorColumns]
        const [written] = readCsv(Buffer.from(read()), { known, required: [] }).rows
        const cut = written?.values.flatMap((text) => text.split(/[,;\t\r\n]/))
        expect(cut?.filter((text) => /^[=+\-@＝]/.test(text))).toEqual([])
        expect(withoutGuards(written ? [written] : [])[0]?.values.slice(0, 2)).toEqual(values)
      }),
    )
  })

  test('replaces the old errors of an imported errors file', () => {
    const file = open('a.errors.csv', ['error_row', 'name', 'error_code', 'sku', 'error_message'])
    file.write([{ ...failed, values: ['9', 'Box', 'old', 'A', 'old'] }])
    expect(read()).toBe(
      '\ufeffname,sku,error_row,error_code,error_message\nBox,A,3,validation_error,sku is required.\n',
    )
  })

  test('loses nothing of a row with too many fields, and fills one with too few', () => {
    const file = open('a.errors.csv', ['name', 'sku'])
    file.write([
      { ...failed, values: ['Box', 'A', 'B', 'C'] },
      { ...failed, values: ['Box'] },
    ])
    expect(read().split('\n').slice(1, 3)).toEqual([
      'Box,"A,B,C",3,validation_error,sku is required.',
      'Box,,3,validation_error,sku is required.',
    ])
  })

  test('gains the failed rows of each chunk, synced to disk', () => {
    const file = open('a.errors.csv', ['name'])
    file.write([{ ...failed, values: ['one'] }])
    const calls = callsOf(() => file.write([{ ...failed, values: ['two'] }]))
    expect([names(), calls.at(-1)]).toEqual([['one', 'two'], 'fsyncSync'])
  })
})

describe('a file of failed rows on a full disk', () => {
  test('is reported once, retried with the next rows, and complete in the end', () => {
    const file = open('a.errors.csv', ['name'])
    failingAt(1, 'ENOSPC', () => file.write([{ ...failed, values: ['one'] }]))
    expect(notices).toEqual(['Warning: a.errors.csv cannot be written: no space is left on the disk.'])
    file.write([{ ...failed, values: ['two'] }])
    expect([file.settle(), names(), notices.length]).toEqual(['a.errors.csv', ['one', 'two'], 1])
  })

  test.each([
    [false, 'run the same command again: it'],
    [true, 'run the same command without --again: it'],
  ])('is never reported as complete, and with --again=%j the advice sends nothing twice', (again, advice) => {
    const file = open('a.errors.csv', ['name'], again)
    failingAt(1, 'EROFS', () => file.write([{ ...failed, values: ['one'] }]))
    expect(file.settle()).toBeUndefined()
    expect(notices[1]).toContain(
      `not all failed rows are in a.errors.csv. Free some space, or name another file with --errors, and ${advice}`,
    )
  })
})

describe('an existing file of failed rows', () => {
  test.each([
    ['its beginning', (whole: Buffer) => whole.subarray(0, whole.length - 9)],
    ['zeros', (whole: Buffer) => Buffer.concat([whole.subarray(0, 20), Buffer.alloc(whole.length - 20)])],
  ])('of which a power cut left %s is replaced by the complete one', (_, cut) => {
    const again = writtenTwice((whole) => writeFileSync(join(folder, 'a.errors.csv'), cut(whole)))
    expect([again.settle(), names()]).toEqual(['a.errors.csv', ['one']])
    expect(readdirSync(folder)).toEqual(['a.errors.csv'])
  })

  test('that was corrected stays, and new failures go next to it', () => {
    const again = writtenTwice((whole) =>
      writeFileSync(join(folder, 'a.errors.csv'), whole.toString().replace('one', 'ONE')),
    )
    expect([again.settle(), names()]).toEqual(['a.errors.2.csv', ['ONE']])
  })

  test('that was saved as UTF-16 stays', () => {
    const again = writtenTwice((whole) =>
      writeFileSync(join(folder, 'a.errors.csv'), whole.toString(), 'utf16le'),
    )
    expect(again.settle()).toBe('a.errors.2.csv')
  })

  test('with the same rows under a later name is not written once more', () => {
    writeFileSync(join(folder, 'a.errors.csv'), 'corrected')
    const settled = ['one', 'two', 'three'].map(() => {
      const file = open('a.errors.csv', ['name'])
      file.write([{ ...failed, values: ['one'] }])
      return file.settle()
    })
    expect(settled).toEqual(['a.errors.2.csv', 'a.errors.2.csv', 'a.errors.2.csv'])
    expect(readdirSync(folder).sort()).toEqual(['a.errors.2.csv', 'a.errors.csv'])
  })

  test('is passed over if it is a folder', () => {
    mkdirSync(join(folder, 'a.errors.2.csv'))
    writeFileSync(join(folder, 'a.errors.csv'), 'corrected')
    const file = open('a.errors.csv', ['name'])
    file.write([{ ...failed, values: ['one'] }])
    expect(file.settle()).toBe('a.errors.3.csv')
  })

  function writtenTwice(meanwhile: (whole: Buffer) => void): ErrorsFile {
    open('a.errors.csv', ['name']).write([{ ...failed, values: ['one'] }])
    meanwhile(readFileSync(join(folder, 'a.errors.csv')))
    const again = open('a.errors.csv', ['name'])
    again.write([{ ...failed, values: ['one'] }])
    expect(names('a.errors.2.csv')).toEqual(['one'])
    return again
  }
})

test('may be a device; a folder or a missing folder is rejected beforehand', () => {
  const file = open('/dev/null', ['name'])
  for (const name of ['one', 'two']) file.write([{ ...failed, values: [name] }])
  expect([file.settle(), notices]).toEqual(['/dev/null', []])
  for (const good of [undefined, '/dev/null', 'a.csv']) checkErrorsFile(folder, good)
  for (const bad of ['none/a.csv', '.', 'a.csv/b.csv']) {
    writeFileSync(join(folder, 'a.csv'), 'x')
    expect(() => checkErrorsFile(folder, bad)).toThrow(expect.objectContaining({ ending: 'usage' }))
  }
})

test("is named after the imported file, and after a pipe in the command's folder", () => {
  expect(['in/a.csv', 'stdin', '/dev/fd/63', '/proc/self/fd/9'].map(errorsNameOf)).toEqual([
    'in/a.csv.errors.csv',
    'stdin.errors.csv',
    'pipe.errors.csv',
    'pipe.errors.csv',
  ])
})

test('has a new name before its ending; an empty file may be reused', () => {
  let row = 0
  const nameOf = (wanted: string): string | undefined => {
    const file = open(wanted, ['name'])
    file.write([{ ...failed, row: ++row, values: ['one'] }])
    return file.settle()
  }
  writeFileSync(join(folder, 'a.errors.csv'), '')
  expect(['a.errors.csv', 'a.errors.csv', 'a.errors.csv'].map(nameOf)).toEqual([
    'a.errors.csv',
    'a.errors.2.csv',
    'a.errors.3.csv',
  ])
  writeFileSync(join(folder, 'b'), 'x')
  expect(nameOf(join(folder, 'b'))).toBe(join(folder, 'b.2'))
})

describe('two simultaneous runs', () => {
  test('have a file each', () => {
    const [one, other] = [open('a.errors.csv', ['name']), open('a.errors.csv', ['name'])]
    for (const name of ['one', 'two'])
      for (const [at, file] of [one, other].entries())
        file.write([{ ...failed, values: [`${name} of ${at + 1}`] }])
    expect([one.settle(), other.settle()]).toEqual(['a.errors.csv', 'a.errors.2.csv'])
    expect(['a.errors.csv', 'a.errors.2.csv'].map(names)).toEqual([
      ['one of 1', 'two of 1'],
      ['one of 2', 'two of 2'],
    ])
  })

  test('keep their rows if one replaces what the other wrote', () => {
    const [one, other] = [open('a.errors.csv', ['name']), open('a.errors.csv', ['name'])]
    for (const file of [one, other]) file.write([{ ...failed, values: ['both'] }])
    other.write([{ ...failed, values: ['other'] }])
    expect(other.settle()).toBe('a.errors.csv')
    one.write([{ ...failed, values: ['one'] }])
    expect(one.settle()).toBe('a.errors.2.csv')
    expect(['a.errors.csv', 'a.errors.2.csv'].map(names)).toEqual([
      ['both', 'other'],
      ['both', 'one'],
    ])
  })
})

function open(name: string, header: readonly string[], again = false): ErrorsFile {
  const source = { name: 'a.csv' }
  return openErrorsFile(session(), name, { source, header, original: undefined, separator: ',' }, { again })
}

function names(name?: string): Array<string | undefined> {
  return read(name)
    .split('\n')
    .slice(1, -1)
    .map((line) => line.split(',')[0])
}

function read(name = 'a.errors.csv'): string {
  return readFileSync(join(folder, name), 'utf8')
}

function session() {
  const io = { cwd: folder, env: { HOME: folder } }
  return { io, options: {}, notice: (text: string) => void notices.push(text) }
}
