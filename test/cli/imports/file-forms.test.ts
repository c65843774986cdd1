import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cliUser, forAllTests } from '../../support/each.ts'
import { scale } from '../../support/soak.ts'
import { type Cell, type Format, workbookOf } from '../../support/workbook.ts'

const names = ['external_ref', 'description', 'sku', 'quantity'] as const
type Row = Record<(typeof names)[number], string>

const codes = [
  ...['007', '00123', '0001234567', '1E5', '12E4', '3-4', '1/2', 'TRUE', '+1', '-5', '@a', '=1+1', '#1'],
  ...['1.10', '1,5', 'A,B', 'a;b', 'a|b', "O'x", 'É-1', '12', '100000', '123456789012', '123456789012345678'],
]
const texts = [
  ...['Pokémon “151”, 9 packs', 'Two\nlines', '5" binder', '"whole"', 'semi;colon', 'tab\tin', 'Łukasz'],
  ...['=SUM(A1)', '@home', '-5 sleeves', "'tis", '宝可梦 卡', 'עברית', '🔥'],
  ...['50%', '1.234', '12', 'x'.repeat(300)],
]
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record({
    external_ref: fc.constantFrom('', ...codes),
    description: fc.constantFrom(...texts),
    sku: fc.constantFrom('', ...codes),
    quantity: fc.integer({ min: 1, max: 3000 }).map(String),
  }),
  { minLength: 1, maxLength: 5 },
)

/** How programs write a column's name, a text file, and a number in a workbook. */
const spellings: ReadonlyArray<(name: string) => string> = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => ` ${name.replaceAll('_', '\u00a0')}:`,
  (name) =>
    ({ external_ref: 'PO #', description: 'Beschreibung', sku: 'SKU #', quantity: 'Qty' })[name] ?? name,
]
const encodings: ReadonlyArray<(text: string) => Buffer> = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(`\ufeff${text}`),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
]
const formats: readonly Format[] = ['whole', 'grouped', 'amount', 'scientific', 'percent', 'text', 'date']

const form = fc.record({
  order: fc.shuffledSubarray([...names], { minLength: names.length }),
  spelling: fc.constantFrom(...spellings),
  hasTitle: fc.boolean(),
  hasGaps: fc.boolean(),
})
const textForm = fc.record({
  separator: fc.constantFrom(',', ';', '\t'),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
  isQuoted: fc.boolean(),
  isGuarded: fc.boolean(),
  encoded: fc.constantFrom(...encodings),
})

/** The file, and the line of each row. */
type Written = { bytes: Buffer; lines: number[] }
type Form = typeof form extends fc.Arbitrary<infer Of> ? Of : never
type TextForm = typeof textForm extends fc.Arbitrary<infer Of> ? Of : never

const user = forAllTests(cliUser)
const runs = { numRuns: scale(60, 4000) }

test('each row of a text file is read as it is, or is named as an error, in whatever form it is written', async () => {
  await fc.assert(
    fc.asyncProperty(rows, form, textForm, async (given, of, textOf) => {
      await expectRows(given, asText(given, of, textOf))
    }),
    runs,
  )
})

test('each row of a workbook is read as it is, or is named as an error, whatever its cells are', async () => {
  const cellFormats = fc.array(fc.option(fc.constantFrom(...formats)), { minLength: 20, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(rows, form, cellFormats, async (given, of, wanted) => {
      await expectRows(given, asWorkbook(given, of, wanted))
    }),
    runs,
  )
})

async function expectRows(given: readonly Row[], { bytes, lines }: Written): Promise<void> {
  writeFileSync(join(user.home, 'given.csv'), bytes)
  const trial = ['manifests', 'submit', 'given.csv', '--dry-run', '--offline', '--output', 'csv', '--raw']
  const { out, err } = await user.run(trial)
  const [errors = ''] = err.split('Please check these:')
  const failed: number[] = []
  for (const [, numbers = '', line] of errors.matchAll(/^ {2}rows? ([\d, and]+?)(?:, line (\d+))? {2}/gm)) {
    const named = [...numbers.matchAll(/\d+/g)].map(([number]) => Number(number))
    if (line !== undefined) expect(lines[(named[0] ?? 0) - 1]).toBe(Number(line))
    failed.push(...named)
  }
  const read: Row[] = parse(out, { columns: true })
  const good = given.filter((_, at) => !failed.includes(at + 1))
  expect(read).toEqual(good)
}

function asText(given: readonly Row[], of: Form, textOf: TextForm): Written {
  const { separator, lineBreak, isQuoted, isGuarded, encoded } = textOf
  const cell = (text: string): string => {
    const guarded = isGuarded && /^[=+\-@]/.test(text) ? `'${text}` : text
    const needsQuotes = isQuoted || guarded.includes(separator) || /["\r\n]/.test(guarded)
    return needsQuotes ? `"${guarded.replaceAll('"', '""')}"` : guarded
  }
  let text = `${of.hasTitle ? `Buy sheet of May${lineBreak}` : ''}${of.order.map(of.spelling).join(separator)}${lineBreak}`
  const lines = given.map((row) => {
    if (of.hasGaps) text += lineBreak
    const line = text.split(/\r\n|\r|\n/).length
    text += of.order.map((name) => cell(row[name])).join(separator) + lineBreak
    return line
  })
  return { bytes: encoded(text), lines }
}

function asWorkbook(given: readonly Row[], of: Form, wanted: ReadonlyArray<Format | null>): Written {
  const sheet: Cell[][] = [...(of.hasTitle ? [['Buy sheet of May'], []] : []), of.order.map(of.spelling)]
  const lines = given.map((row, at) => {
    if (of.hasGaps) sheet.push([])
    const formatOf = (name: string, index: number) =>
      name === 'description' ? null : (wanted[at * names.length + index] ?? null)
    return sheet.push(of.order.map((name, index) => cellOf(row[name], formatOf(name, index))))
  })
  return { bytes: workbookOf(sheet), lines }
}

/** What a spreadsheet makes of a text that is typed; the text itself if the column has the format for it. */
function cellOf(text: string, format: Format | null): Cell {
  if (format === null) return text
  if (/^0\d{9}$/.test(text)) return { value: Number(text), format: 'padded' }
  if (/^\d+E\d$/.test(text)) return { value: Number(text), format: 'scientific' }
  return /^[1-9]\d*$/.test(text) ? { value: Number(text), format } : text
}
