import {
  chmodSync,
  existsSync,
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
import {
  checkErrorsFile,
  type ErrorsFile,
  errorsNameOf,
  openErrorsFile,
  settleErrorsFile,
} from '../../../src/cli/imports/errors-file.ts'
import { errorColumns, withoutGuards } from '../../../src/cli/imports/formats/file-kind.ts'
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
  test('is not made before a row has failed', () => {
    const file = open('a.errors.csv', ['name', 'sku'])
    file.write([])
    expect([file.bytes(), existsSync(join(folder, 'a.errors.csv'))]).toEqual([0, false])
  })

  test('has the original columns, and what was wrong; no cell is a formula', () => {
    const file = open('a.errors.csv', ['name', '=sku'])
    file.write([{ ...failed, values: ['=1+1, "x"\nline', ' 007 '] }])
    expect(read()).toBe(
      `\ufeffname,'=sku,error_row,error_code,error_message\n"'=1+1, ""x""\nline"," 007 ",3,validation_error,sku is required.\n`,
    )
  })

  test('can be read by nobody who could not read the file that was imported', () => {
    const modes = [0o600, 0o644].map((mode, index) => {
      writeFileSync(join(folder, 'a.csv'), '')
      chmodSync(join(folder, 'a.csv'), mode)
      open(`${index}.errors.csv`, ['name']).write([{ ...failed, values: ['A customer'] }])
      return statSync(join(folder, `${index}.errors.csv`)).mode & 0o077
    })
    expect(modes).toEqual([0, 0o044 & ~process.umask()])
  })

  test('gives every cell back as it was when it is imported; cut at whatever a spreadsheet cuts at, it has no formula', () => {
    const cell = fc.string({ unit: fc.constantFrom(...`'=+-@\t\r\n"7 ,;`, '＝', 'x') })
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 2 }), (values) => {
        rmSync(join(folder, 'a.errors.csv'), { force: true })
        open('a.errors.csv', ['name', 'sku']).write([{ ...failed, values }])
        const known = ['name', 'sku', ...errorColumns]
        const { rows } = readCsv(Buffer.from(read()), { known, required: [] })
        const [written] = [...rows].flat()
        const cut = written?.values.flatMap((text) => text.split(/[,;\t\r\n]/))
        expect(cut?.filter((text) => /^[=+\-@＝]/.test(text))).toEqual([])
        expect(withoutGuards(written ? [written] : [])[0]?.values.slice(0, 2)).toEqual(values)
      }),
    )
  })

  test('of an errors file has the new errors in the place of the old', () => {
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

  test('adds the failed rows of each chunk, and is on the disk', () => {
    const file = open('a.errors.csv', ['name'])
    file.write([{ ...failed, values: ['one'] }])
    const calls = callsOf(() => file.write([{ ...failed, values: ['two'] }]))
    expect([names(), calls.at(-1)]).toEqual([['one', 'two'], 'fsyncSync'])
  })
})

describe('where the disk has no room for it', () => {
  test('says so once, tries again with the next rows, and has all of them in the end', () => {
    const file = open('a.errors.csv', ['name'])
    failingAt(1, 'ENOSPC', () => file.write([{ ...failed, values: ['one'] }]))
    expect([file.isCut, file.bytes(), notices]).toEqual([
      true,
      0,
      ['Warning: a.errors.csv cannot be written: no space is left on the disk.'],
    ])
    file.write([{ ...failed, values: ['two'] }])
    expect([file.isCut, names(), notices.length]).toEqual([false, ['one', 'two'], 1])
  })

  test('is never said to be whole', () => {
    const file = open('a.errors.csv', ['name'])
    failingAt(1, 'EROFS', () => file.write([{ ...failed, values: ['one'] }]))
    expect(settle('a.errors.csv', file)).toBeUndefined()
    expect(notices[1]).toContain('not all failed rows are in a.errors.csv')
  })
})

describe('a file of failed rows that was there', () => {
  test.each([
    ['its beginning', (whole: Buffer) => whole.subarray(0, whole.length - 9)],
    ['zeros', (whole: Buffer) => Buffer.concat([whole.subarray(0, 20), Buffer.alloc(whole.length - 20)])],
  ])('and of which a power cut has left %s is replaced by the whole one', (_, cut) => {
    const again = writtenTwice((whole) => writeFileSync(join(folder, 'a.errors.csv'), cut(whole)))
    expect([settle('a.errors.csv', again), names()]).toEqual(['a.errors.csv', ['one']])
    expect(readdirSync(folder)).toEqual(['a.errors.csv'])
  })

  test('and was corrected stays as it is: what fails now is next to it', () => {
    const again = writtenTwice((whole) =>
      writeFileSync(join(folder, 'a.errors.csv'), whole.toString().replace('one', 'ONE')),
    )
    expect([settle('a.errors.csv', again), names()]).toEqual(['a.errors.2.csv', ['ONE']])
  })

  function writtenTwice(meanwhile: (whole: Buffer) => void): ErrorsFile {
    open('a.errors.csv', ['name']).write([{ ...failed, values: ['one'] }])
    meanwhile(readFileSync(join(folder, 'a.errors.csv')))
    const again = open('a.errors.csv', ['name'])
    again.write([{ ...failed, values: ['one'] }])
    expect(again.name).toBe('a.errors.2.csv')
    return again
  }
})

test('a device takes failed rows too, and a folder or one that is not there is refused before', () => {
  const file = open('/dev/null', ['name'])
  for (const name of ['one', 'two']) file.write([{ ...failed, values: [name] }])
  expect([file.isCut, notices]).toEqual([false, []])
  for (const good of [undefined, '/dev/null', 'a.csv']) checkErrorsFile(folder, good)
  for (const bad of ['none/a.csv', '.', 'a.csv/b.csv']) {
    writeFileSync(join(folder, 'a.csv'), 'x')
    expect(() => checkErrorsFile(folder, bad)).toThrow(expect.objectContaining({ ending: 'usage' }))
  }
})

test('stands beside the file, and of a pipe in the folder of the command', () => {
  expect(['in/a.csv', 'stdin', '/dev/fd/63', '/proc/self/fd/9'].map(errorsNameOf)).toEqual([
    'in/a.csv.errors.csv',
    'stdin.errors.csv',
    'pipe.errors.csv',
    'pipe.errors.csv',
  ])
})

test('takes a name that no file has, before the ending; an empty file may be written to', () => {
  const nameOf = (wanted: string): string => {
    const file = open(wanted, ['name'])
    file.write([{ ...failed, values: ['one'] }])
    return file.name
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

describe('two runs at the same time', () => {
  test('have a file each', () => {
    const [one, other] = [open('a.errors.csv', ['name']), open('a.errors.csv', ['name'])]
    for (const name of ['one', 'two'])
      for (const file of [one, other]) file.write([{ ...failed, values: [name + file.name.length] }])
    expect([one.name, other.name]).toEqual(['a.errors.csv', 'a.errors.2.csv'])
    expect(['a.errors.csv', 'a.errors.2.csv'].map(names)).toEqual([
      ['one12', 'two12'],
      ['one12', 'two14'],
    ])
  })

  test('keep their rows where one has put its file in the place of what the other had written', () => {
    const [one, other] = [open('a.errors.csv', ['name']), open('a.errors.csv', ['name'])]
    for (const file of [one, other]) file.write([{ ...failed, values: ['both'] }])
    other.write([{ ...failed, values: ['other'] }])
    expect(settle('a.errors.csv', other)).toBe('a.errors.csv')
    one.write([{ ...failed, values: ['one'] }])
    expect(settle('a.errors.csv', one)).toBe('a.errors.2.csv')
    expect(['a.errors.csv', 'a.errors.2.csv'].map(names)).toEqual([
      ['both', 'other'],
      ['both', 'one'],
    ])
  })
})

function open(name: string, header: readonly string[], separator = ','): ErrorsFile {
  const source = { name: 'a.csv' }
  return openErrorsFile(session(), name, { source, header, original: undefined, separator })
}

function settle(wanted: string, file: ErrorsFile): string | undefined {
  return settleErrorsFile(session(), wanted, file)
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
