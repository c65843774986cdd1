import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { partsOf, workbookOf, zipOf } from '../test/support/workbook.ts'
import { report } from './support/measure.ts'
import { builtProgram, isolatedEnvironment, timeProcess } from './support/whole-process.ts'

/** `custody items find` in workbooks that once took minutes, compared with a plain one of as many cells and bytes: the least of three. */
const limit = 4
const sheet = 'xl/worksheets/sheet1.xml'
const cells = (formula: string): string =>
  Array.from(
    { length: 20_000 },
    (_, n) => `<row r="${n + 2}"><c r="A${n + 2}">${formula}<v>1</v></c></row>`,
  ).join('')
const formula = `<f t="shared" ref="A1:A20001" si="0">${'B2+'.repeat(8_000)}1</f><v>1</v>`
const text = 'x'.repeat(10_000_000)
const fills = '<fills><fill><patternFill patternType="none"/></fill></fills>'
const parts = await partsOf(workbookOf([]))

const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
const file = join(folder, 'given.xlsx')
const env = isolatedEnvironment(folder, join(folder, 'custody.db'))
try {
  custody('sandbox', 'reset', '--no-seed', '--yes')
  const plain = timeOf(workbook(cells('')))
  compare('without colours', workbook(cells(''), ''), plain)
  const shared = `<row r="1"><c r="A1">${formula}</c></row>${cells('<f t="shared" si="0"/>')}`
  compare('20,000 cells share a formula of 24 kB', workbook(shared), plain)
  const long = `${cells('')}<row r="20002"><c r="B20002" t="inlineStr"><is><t>${text}</t></is></c></row>`
  compare('10 MB of text', workbook(long), timeOf(workbook(cells(''), fills, { 'other.xml': text })))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function compare(name: string, bytes: Buffer, least: number): void {
  const ratio = timeOf(bytes) / least
  report(name, `${ratio.toFixed(2)}x a plain workbook`, ratio, limit, 'x')
}

function workbook(data: string, colours = fills, others: Record<string, string> = {}): Buffer {
  const styles = parts['xl/styles.xml']!.replace('<cellXfs>', `${colours}<cellXfs>`)
  const rows = parts[sheet]!.replace('<sheetData>', `<sheetData>${data}`)
  return zipOf({ ...parts, ...others, 'xl/styles.xml': styles, [sheet]: rows })
}

function timeOf(bytes: Buffer): number {
  writeFileSync(file, bytes)
  return Math.min(...[1, 2, 3].map(() => custody('items', 'find', file, '--column', '1')))
}

/** Milliseconds of the whole process. */
function custody(...args: string[]): number {
  return timeProcess(process.execPath, [builtProgram(), ...args], { env })
}
