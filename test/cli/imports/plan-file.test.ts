import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Io } from '../../../src/cli/base/io.ts'
import { openSource, temporarySource } from '../../../src/cli/files/csv-source.ts'
import { rowPlaces } from '../../../src/cli/files/file-kind.ts'
import { type ChunkedKind, fulfillmentsFile, productsFile } from '../../../src/cli/imports/import-kind.ts'
import { type FilePlan, planFile } from '../../../src/cli/imports/plan-file.ts'
import { scratch } from '../../support/scratch.ts'

const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'

test('a temporary file that has no room on its disk is named with its folder', async () => {
  const full = Object.assign(new Error('ENOSPC: write'), { code: 'ENOSPC', syscall: 'write' })
  const bytes = new Readable({ read: () => bytes.destroy(full) })
  await expect(temporarySource('stdin', bytes)).rejects.toThrow(
    `A temporary file in ${tmpdir()} cannot be written: no space is left on the disk.`,
  )
})

describe('the plan of a file', () => {
  test('cuts it into chunks of 5,000 rows whose bytes together are the file without its header', async () => {
    const text = fileOf(12_345)
    const { chunks, rows, header: names } = await plan(text, 65_536)
    expect(chunks.map((chunk) => [chunk.firstRow, chunk.rows])).toEqual([
      [1, 5000],
      [5001, 5000],
      [10_001, 2345],
    ])
    expect([rows, names]).toEqual([12_345, header.split(',')])
    const bytes = Buffer.from(text)
    expect(chunks[0]?.from).toBe(header.length + 1)
    expect(chunks.at(-1)?.to).toBe(bytes.length)
    for (const { from, to, firstRow } of chunks) {
      expect(bytes.subarray(from, to).toString()).toMatch(new RegExp(`^"?Box ${firstRow - 1}\\b`))
    }
  })

  test('does not depend on the pieces, the line breaks, or a leading mark (property)', async () => {
    const text = fileOf(11_000)
    const expected = await plan(text, 65_536)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1000, max: 200_000 }), async (size) => {
        expect(await plan(text, size)).toEqual(expected)
      }),
      { numRuns: 8 },
    )
    for (const lineBreak of ['\r\n', '\r']) {
      const other = await plan(`\ufeff${text.replaceAll('\n', lineBreak)}`, 50_000)
      expect(other.chunks.map(({ rows }) => rows)).toEqual(expected.chunks.map(({ rows }) => rows))
    }
  })

  test('does not send a chunk with a bad row unchanged', async () => {
    const lines = Array.from({ length: 6000 }, (_, row) => (row % 100 === 0 ? line(row, '') : line(row)))
    const { chunks } = await plan([header, ...lines, ''].join('\n'), 65_536)
    expect(chunks.map((chunk) => chunk.isWhole)).toEqual([false, false])
  })

  test('fails all rows of one identity, also across chunks and if one is bad, and each names the others', async () => {
    const lines = Array.from({ length: 5001 }, (_, row) => line(row))
    const { failed, chunks } = await plan([header, ...lines, line(3), line(7, ''), ''].join('\n'), 65_536)
    expect(chunks.map(({ isWhole }) => isWhole)).toEqual([false, false])
    expect([...failed].map(([row, { message }]) => `${row}: ${message}`).sort()).toEqual([
      '4: sku "S-3" is also in row 5002: keep one of them.',
      '5002: sku "S-3" is also in row 4: keep one of them.',
      '5003: sku "S-7" is also in row 8: keep one of them.',
      '8: sku "S-7" is also in row 5003: keep one of them.',
    ])
  })

  test('names no item where the rows of one reference have none', async () => {
    const row = ',1,Ann,1 Main St,Reno,NV,89501,US,R-1'
    const text = `sku,quantity,recipient_name,street,city,state,zip,country,external_ref\n${row}\n${row}\n`
    const { failed } = await planOf(pieces(Buffer.from(text), 1000), fulfillmentsFile)
    expect(failed.get(1)?.message).toMatch(/^external_ref "R-1" is also in row 2: /)
  })

  test("keeps the file's old content: bytes overwritten since are not read", async () => {
    const folder = mkdtempSync(join(scratch, 'custody-plan-'))
    const before = fileOf(6000)
    writeFileSync(join(folder, 'big.csv'), before)
    const source = await openSource({ cwd: folder } as Io, 'big.csv')
    const { chunks } = await planOf(source.pieces())
    const read = (chunk: number): string => source.read(chunks[chunk]!.from, chunks[chunk]!.to).toString()
    expect(`${header}\n${read(0)}${read(1)}`).toBe(before)
    writeFileSync(join(folder, 'big.csv'), `${before.slice(0, -40)}${'x'.repeat(39)}\n`)
    expect(() => read(1)).toThrow('big.csv changed while custody read it; nothing more was sent.')
    expect(read(0)).toBe(before.slice(chunks[0]!.from, chunks[0]!.to))
    rmSync(folder, { recursive: true })
  })

  test.each([
    ['grows', (text: string) => `${text}${line(9)}\n`],
    ['gets other rows of the same length', (text: string) => text.replaceAll('Box', 'Car')],
  ])('rejects a file that %s while it is read, before anything is sent', async (_, change) => {
    const folder = mkdtempSync(join(scratch, 'custody-plan-'))
    const path = join(folder, 'big.csv')
    writeFileSync(path, fileOf(6000))
    const source = await openSource({ cwd: folder } as Io, 'big.csv')
    const reading = source.pieces()
    await reading[Symbol.asyncIterator]().next()
    writeFileSync(path, change(fileOf(6000)))
    await expect(Array.fromAsync(reading)).rejects.toThrow(
      'big.csv changed while custody read it; nothing more was sent.',
    )
    rmSync(folder, { recursive: true })
  })

  test('throws what is wrong with the whole file', async () => {
    await expect(plan(`${header}\n`, 100)).rejects.toThrow('The file has no data row')
    await expect(plan(`${header}\n"open`, 100)).rejects.toThrow('unterminated quote')
    await expect(plan('', 100)).rejects.toThrow('header')
  })
})

function plan(text: string, pieceSize: number): Promise<FilePlan> {
  return planOf(pieces(Buffer.from(text), pieceSize))
}

function planOf(file: AsyncIterable<Buffer>, kind: ChunkedKind = productsFile): Promise<FilePlan> {
  return planFile(file, {
    kind,
    columns: kind.columns,
    places: rowPlaces(),
    original: undefined,
    skipped: {},
    useLint: true,
  })
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

/** Every seventh name spans two lines. */
function fileOf(rows: number): string {
  return [header, ...Array.from({ length: rows }, (_, row) => line(row)), ''].join('\n')
}

function line(row: number, weight = '12'): string {
  const name = row % 7 === 0 ? `"Box ${row}\n(new), ""36"""` : `Box ${row}`
  return `${name},S-${row},,7,6,3,in,${weight},oz,`
}
