import { describe, expect, test } from 'vitest'
import type { Session } from '../../src/cli/command.ts'
import { sourceOfBytes } from '../../src/cli/files/csv-source.ts'
import { prepare } from '../../src/cli/files/prepare.ts'
import type { Preset } from '../../src/cli/files/presets.ts'
import { presets } from '../../src/cli/files/presets.ts'
import { columnsOf } from '../../src/cli/files/take-rows.ts'
import { manifestFile } from '../../src/cli/imports/import-kind.ts'
import { readCsv } from '../../src/domain/csv/csv-file.ts'
import { csvUploadLimits } from '../../src/domain/csv/csv-limits.ts'
import { chanceOf, scale, seed } from '../support/soak.ts'
import { type Format, formats, workbookOf } from '../support/workbook.ts'

const withCertificates = presets.filter(({ columns }) => columns.cert_number !== undefined)
const rowsEach = Math.ceil(scale(1_000, 100_000) / withCertificates.length)
const graders = ['PSA 10', 'BGS 9.5', 'BVG 8', 'CGC Pristine 10', 'Raw', '', 'SGC 9', 'PSA', 'BGS', '275013']
const texts = ['Charizard', 'a, "b"', 'x;y', 'Pok\u00e9mon', '', '\u30dd\u30b1\u30e2\u30f3', 'two\nlines']

describe(`certificates in mutated exports (seed ${seed})`, () => {
  test.each(withCertificates)(
    '$name keeps every certificate exactly, except for the padding that it states',
    async (preset) => {
      const chance = chanceOf(seed)
      const certificateColumn = columnsOf(preset.columns.cert_number ?? '')[0] ?? ''
      const header = [
        ...new Set([...Object.values(preset.columns).flatMap(columnsOf), ...preset.header.flat()]),
      ]
      const given = Array.from({ length: rowsEach }, () =>
        header.map((name) => cellOf(name, certificateColumn, chance)),
      )
      const separator = pick([',', ';', '\t'], chance)
      const content = [header, ...given].map((cells) => cells.map(quoted).join(separator)).join('\r\n')
      const encoding = pick(['utf8', 'utf16le'] as const, chance)
      const bytes = Buffer.from(encoding === 'utf8' ? content : `\ufeff${content}`, encoding)
      const source = sourceOfBytes('mutated.csv', bytes)
      const ready = await prepare(quiet, manifestFile, source, { from: preset.name })
      const noLimit = {
        ...csvUploadLimits,
        rows: Number.POSITIVE_INFINITY,
        fileBytes: Number.POSITIVE_INFINITY,
      }
      const { header: ours, rows } = readCsv(ready.source.read(0, ready.source.bytes), ready.columns, noLimit)
      const [at, graderAt] = [ours.indexOf('cert_number'), ours.indexOf('grader')]
      let taken = 0
      for (const { row, values } of rows) {
        const original =
          given[ready.places.of(row).row - 1]?.[header.indexOf(certificateColumn)]?.trim() ?? ''
        expect(allowed(preset, original, values[graderAt] ?? '')).toContain(values[at])
        taken += 1
      }
      expect(taken).toBeGreaterThan(rowsEach / 2)
    },
    120_000,
  )
})

test(`certificates in a workbook of numbers are kept exactly or rejected (seed ${seed})`, async () => {
  const chance = chanceOf(seed)
  const given = Array.from({ length: scale(500, 100_000) }, () => numberCell(chance))
  const bytes = workbookOf([
    ['description', 'grader', 'cert_number'],
    ...given.map((cell) => ['Card', 'PSA', cell]),
  ])
  const ready = await prepare(quiet, manifestFile, sourceOfBytes('mutated.xlsx', bytes), {})
  const limits = { ...csvUploadLimits, rows: Number.POSITIVE_INFINITY, fileBytes: Number.POSITIVE_INFINITY }
  const { header, rows } = readCsv(ready.source.read(0, ready.source.bytes), ready.columns, limits)
  const [at, faultAt] = [header.indexOf('cert_number'), header.indexOf('!fault')]
  let kept = 0
  for (const { row, values } of rows) {
    if (values[faultAt] !== '') continue
    const cell = given[ready.places.of(row).row - 1]
    const { value, format } = typeof cell === 'object' ? cell : { value: Number(cell), format: undefined }
    expect([format, value, values[at]]).toEqual([format, value, shown(value, format)])
    kept += 1
  }
  expect(kept).toBeGreaterThan(given.length / 3)
}, 600_000)

function shown(value: number, format: Format | undefined): string {
  const digits = String(value)
  if (format === 'padded') return digits.padStart(10, '0')
  return format === 'amount' ? digits.replace(/\.\d$/, '$&0') : digits
}

/** A number as people type it, in a cell of any format. */
function numberCell(chance: () => number): number | { value: number; format: Format } {
  const digits = Math.floor(chance() * 10 ** (7 + Math.floor(chance() * 11)))
  const value = chance() < 0.1 ? digits / 100 : digits
  const format = pick([...formats, undefined], chance)
  return format === undefined ? value : { value, format }
}

function allowed(preset: Preset, text: string, grader: string): string[] {
  if (['', '-'].includes(text)) return ['']
  const isPadded = preset.name === 'card-ladder' && /^(BGS|BVG|BCCG)$/.test(grader) && /^\d{7,9}$/.test(text)
  return [isPadded ? text.padStart(10, '0') : text]
}

function cellOf(name: string, certificateColumn: string, chance: () => number): string {
  if (name === certificateColumn) return mutated(chance)
  if (/quantity/i.test(name)) return pick(['1', '2', '1.0'], chance)
  return /grade|grader|condition/i.test(name) ? pick(graders, chance) : pick(texts, chance)
}

/** A printed certificate, and what spreadsheets, people, and exports make of it. */
function mutated(chance: () => number): string {
  const digits = String(Math.floor(chance() * 10 ** (7 + Math.floor(chance() * 4))))
  return pick(
    [
      ...[digits, digits, digits, `0${digits}`, `00${digits}`, `${digits}.0`, `${digits.slice(0, -1)}`, ''],
      ...[
        Number(digits).toExponential(2).toUpperCase(),
        `="${digits}"`,
        `'${digits}`,
        `"${digits}"`,
        `#${digits}`,
      ],
      ...[
        `${digits.slice(0, -3)}-${digits.slice(-3)}`,
        `A${digits}`,
        ` ${digits} `,
        `${digits}\n`,
        `${digits}\u00a0`,
      ],
      ...[
        Number(digits).toLocaleString('en'),
        Number(digits).toLocaleString('de'),
        `PSA ${digits}`,
        '-',
        '#N/A',
        '\uff11\uff12\uff13',
      ],
    ],
    chance,
  )
}

function pick<T>(from: readonly T[], chance: () => number): T {
  return from[Math.floor(chance() * from.length)] as T
}

function quoted(cell: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const quiet = {
  io: {
    now: () => 0,
    err: { write() {}, isTerminal: false, columns: () => 80 },
    stdin: { isTerminal: false },
    env: {},
    stopSignal: () => new AbortController().signal,
  },
  notice() {},
} as unknown as Session
