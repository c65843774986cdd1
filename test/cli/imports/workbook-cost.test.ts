import { describe, expect, test } from 'vitest'
import type { Session } from '../../../src/cli/command.ts'
import { readSheet } from '../../../src/cli/imports/workbook/read-sheet.ts'
import { partsOf, workbookOf, zipOf } from '../../support/workbook.ts'

describe('a workbook takes no more than four times as long as a plain one of the same size', () => {
  const sheet = 'xl/worksheets/sheet1.xml'
  const cells = (formula: string) =>
    Array.from(
      { length: 20_000 },
      (_, n) => `<row r="${n + 2}"><c r="A${n + 2}">${formula}<v>1</v></c></row>`,
    ).join('')
  const formula = `<f t="shared" ref="A1:A20001" si="0">${'B2+'.repeat(8_000)}1</f><v>1</v>`
  const text = 'x'.repeat(10_000_000)

  test.each([
    ['without colours', { data: cells(''), colours: '' }, {}],
    [
      'if 20,000 cells share a formula of 24 kB',
      { data: `<row r="1"><c r="A1">${formula}</c></row>${cells('<f t="shared" si="0"/>')}` },
      {},
    ],
    [
      'if it has 10 MB of text',
      { data: `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>${cells('')}` },
      { 'other.xml': text },
    ],
  ])('%s', async (_, dear, beside) => {
    const parts = await partsOf(workbookOf([]))
    const plain = await cpuOf(workbook({ ...parts, ...beside }, {}))
    expect(await cpuOf(workbook(parts, dear))).toBeLessThan(4 * plain)
  })

  function workbook(
    parts: Record<string, string>,
    {
      data = cells(''),
      colours = '<fills><fill><patternFill patternType="none"/></fill></fills>',
    }: { data?: string; colours?: string },
  ): Buffer {
    const styles = parts['xl/styles.xml']!.replace('<cellXfs>', `${colours}<cellXfs>`)
    const rows = parts[sheet]!.replace('<sheetData>', `<sheetData>${data}`)
    return zipOf({ ...parts, 'xl/styles.xml': styles, [sheet]: rows })
  }

  /** The least of three. */
  async function cpuOf(bytes: Buffer): Promise<number> {
    let least = Number.POSITIVE_INFINITY
    for (let run = 0; run < 3; run++) {
      const before = process.cpuUsage()
      await readSheet({} as Session, 'given.xlsx', bytes, { sheet: undefined, hidden: undefined })
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, user + system)
    }
    return least
  }
})
