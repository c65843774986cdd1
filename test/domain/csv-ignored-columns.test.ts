import { expect, test } from 'vitest'
import { type CsvColumns, readHeader } from '../../src/domain/csv/csv-header.ts'

const columns: CsvColumns = { known: ['sku', 'quantity'], required: [] }
const mapped: CsvColumns = { ...columns, ignored: ['sku'], renamed: { 'item no': 'sku' } }

test('a column that is ignored by the name the file has for it is not read though ours is called so', () => {
  expect(readHeader(['SKU', 'Item No'], mapped)).toEqual(['sku (ignored)', 'sku'])
  // As a file of failed rows has it.
  expect(readHeader(['sku (ignored)', 'item no'], mapped)).toEqual(['sku (ignored)', 'sku'])
})

test('it is lacking where it is required, and unknown to whoever ignores nothing', () => {
  const required = { ...columns, required: ['sku'], ignored: ['sku'] }
  expect(() => readHeader(['sku', 'quantity'], required)).toThrow('lacks the required column sku')
  expect(() => readHeader(['sku (ignored)'], columns)).toThrow('unknown column')
})
