import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freeName, isKept, openErrorsFile } from '../../../src/cli/imports/errors-file.ts'

let folder: string
const failed = { row: 3, code: 'validation_error', message: 'sku is required.' }

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'custody-errors-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('the file of failed rows', () => {
  test('is not made before a row has failed', () => {
    const file = openErrorsFile(folder, 'a.errors.csv', ['name', 'sku'], 0)
    file.write([])
    file.close()
    expect([file.bytes(), existsSync(join(folder, 'a.errors.csv'))]).toEqual([0, false])
  })

  test('has the original columns as they were, and what was wrong', () => {
    const file = openErrorsFile(folder, 'a.errors.csv', ['name', 'sku'], 0)
    file.write([{ ...failed, values: ['=1+1, "x"\nline', ' 007 '] }])
    file.close()
    expect(read()).toBe(
      '\ufeffname,sku,error_row,error_code,error_message\n"=1+1, ""x""\nline"," 007 ",3,validation_error,sku is required.\n',
    )
  })

  test('of an errors file has the new errors in the place of the old', () => {
    const file = openErrorsFile(
      folder,
      'a.errors.csv',
      ['error_row', 'name', 'error_code', 'sku', 'error_message'],
      0,
    )
    file.write([{ ...failed, values: ['9', 'Box', 'old', 'A', 'old'] }])
    file.close()
    expect(read()).toBe(
      '\ufeffname,sku,error_row,error_code,error_message\nBox,A,3,validation_error,sku is required.\n',
    )
  })

  test('loses nothing of a row with too many fields, and fills one with too few', () => {
    const file = openErrorsFile(folder, 'a.errors.csv', ['name', 'sku'], 0)
    file.write([
      { ...failed, values: ['Box', 'A', 'B', 'C'] },
      { ...failed, values: ['Box'] },
    ])
    file.close()
    expect(read().split('\n').slice(1, 3)).toEqual([
      'Box,"A,B,C",3,validation_error,sku is required.',
      'Box,,3,validation_error,sku is required.',
    ])
  })

  test('goes on after the bytes that were acknowledged and forgets what came after them', () => {
    const first = openErrorsFile(folder, 'a.errors.csv', ['name'], 0)
    first.write([{ ...failed, values: ['one'] }])
    const acknowledged = first.bytes()
    first.write([{ ...failed, values: ['half'] }])
    first.close()
    const second = openErrorsFile(folder, 'a.errors.csv', ['name'], acknowledged)
    second.write([{ ...failed, values: ['two'] }])
    second.close()
    expect(
      read()
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ).toEqual(['one', 'two'])
  })
})

test('takes a name that no file has, before the ending; an empty file may be written to', () => {
  expect(freeName(folder, 'a.errors.csv')).toBe('a.errors.csv')
  writeFileSync(join(folder, 'a.errors.csv'), '')
  expect(freeName(folder, 'a.errors.csv')).toBe('a.errors.csv')
  for (const name of ['a.errors.csv', 'a.errors.2.csv', 'b']) writeFileSync(join(folder, name), 'x')
  expect(freeName(folder, 'a.errors.csv')).toBe('a.errors.3.csv')
  expect(freeName(folder, join(folder, 'b'))).toBe(join(folder, 'b.2'))
})

test('is gone on with only where it still has the records that were acknowledged', () => {
  const path = join(folder, 'a.errors.csv')
  expect([isKept(path, 0), isKept(path, 4)]).toEqual([true, false])
  writeFileSync(path, 'one\ntw')
  expect([0, 3, 4, 8].map((bytes) => isKept(path, bytes))).toEqual([false, false, true, false])
})

function read(): string {
  return readFileSync(join(folder, 'a.errors.csv'), 'utf8')
}
