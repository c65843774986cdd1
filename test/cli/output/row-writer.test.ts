import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import { plainStyle } from '../../../src/cli/base/style.ts'
import { columnsOf } from '../../../src/cli/output/columns.ts'
import type { Format } from '../../../src/cli/output/format.ts'
import { type RowWriterOptions, rowWriter } from '../../../src/cli/output/row-writer.ts'
import { collectingOutlet } from '../collecting-outlet.ts'

const columns = columnsOf<(typeof rows)[number]>(
  { name: 'qid', kind: 'id' },
  { name: 'name', kind: 'long' },
  { name: 'difference', title: 'diff', kind: 'number' },
)
const rows = [
  { qid: 'Q-1', name: 'リザードンex', difference: -2, extra: { a: null } },
  { qid: 'Q-2', name: '=cmd()', difference: 0, extra: { a: 1 } },
]

describe('rows are written', () => {
  test('a table is aligned, and a CJK character counts as two', async () => {
    expect(await written('table', {})).toBe(
      'QID  NAME          DIFF\nQ-1  リザードンex    -2\nQ-2  =cmd()           0\n',
    )
  })

  test('a table is cut to the line, and never halves a wide character', async () => {
    const out = collectingOutlet({ columns: 29 })
    const writer = rowWriter({ ...base(out), format: 'table', columns: columns.slice(0, 2) })
    await writer.push([{ qid: 'Q-1', name: '日本語のとても長い名前がここにあります' }])
    expect(out.text).toBe('QID  NAME\nQ-1  日本語のとても長い名前…\n')
  })

  test('a joined emoji, skin tones included, is two wide in a table', async () => {
    const out = collectingOutlet()
    const writer = rowWriter({ ...base(out), format: 'table' })
    await writer.push([
      { qid: 'Q-1', name: '\u{1faf1}\u{1f3fb}\u200d\u{1faf2}\u{1f3ff}', difference: 1 },
      { qid: 'Q-2', name: 'e\u0301te\u0301', difference: 2 },
    ])
    const [, first = '', second = ''] = out.text.split('\n')
    expect([stringWidth(first), stringWidth(second)]).toEqual([15, 15])
  })

  test('a page without rows sets no widths of a table, and a table without rows is empty', async () => {
    const out = collectingOutlet()
    const writer = rowWriter({ ...base(out), format: 'table', columns: columns.slice(0, 2) })
    await writer.push([])
    expect(out.text).toBe('')
    await writer.push([{ qid: 'Q-1', name: 'a longer name' }])
    expect(out.text).toBe('QID  NAME\nQ-1  a longer name\n')
  })

  test('the first rows set the widths of a table, without cutting an id', async () => {
    const out = collectingOutlet()
    const writer = rowWriter({ ...base(out), format: 'table', columns: columns.slice(0, 2) })
    await writer.push([{ qid: 'Q-1', name: 'a longer name' }])
    await writer.push([{ qid: 'Q-22222', name: 'b' }])
    expect(out.text).toBe('QID  NAME\nQ-1  a longer name\nQ-22222  b\n')
  })

  test.each(['table', 'csv', 'tsv', 'json', 'ndjson'] as const)(
    'the first rows of a list as %s appear before the last, at the same cost for each',
    async (format) => {
      const looks = { all: 0, beforeText: 0 }
      const out = collectingOutlet()
      const write = out.write
      out.write = (text) => {
        looks.beforeText ||= looks.all
        write(text)
      }
      const counted = columnsOf<object>({ name: 'n', of: () => ++looks.all && 'x' })
      const writer = rowWriter({ ...base(out), format, columns: counted, isChosen: true })
      await writer.push(Array(30_000).fill({}))
      expect(out.text.split('x')).toHaveLength(30_001)
      expect(looks.beforeText).toBeLessThan(2_000)
      expect(looks.all).toBeLessThan(40_000)
    },
  )

  test('TSV has one line for each row, whatever a value contains', async () => {
    const out = collectingOutlet()
    const writer = rowWriter({ ...base(out), format: 'tsv' })
    await writer.push([{ qid: 'Q-1', name: 'a\tb\nc', difference: null }])
    await writer.end()
    expect(out.text).toBe('qid\tname\tdifference\nQ-1\ta b c\t\n')
  })

  test('no spreadsheet reads CSV as a formula, and numbers are unchanged', async () => {
    expect(await written('csv', {})).toBe("qid,name,difference\nQ-1,リザードンex,-2\nQ-2,'=cmd(),0\n")
    expect(await written('csv', { isRaw: true })).toBe(
      'qid,name,difference\nQ-1,リザードンex,-2\nQ-2,=cmd(),0\n',
    )
  })

  test('CSV is guarded wherever a spreadsheet may split a cell, and after a tab or a return', async () => {
    const names = ['a;=b', '\t=c', '\r', "'=d", "'e", [1, '=f'], { g: '=h' }, true, null]
    const out = collectingOutlet()
    const writer = rowWriter({
      ...base(out),
      format: 'csv',
      columns: columnsOf<{ name: unknown }>({ name: 'name' }),
      hasHeader: false,
    })
    await writer.push(names.map((name) => ({ name })))
    await writer.end()
    const cells = [`a;'=b`, `"'\t'=c"`, `"'\r"`, `''=d`, `'e`, `"1,'=f"`, `"{""g"":""=h""}"`, 'true', '']
    expect(out.text).toBe(cells.map((cell) => `${cell}\n`).join(''))
  })

  test('CSV for Excel has its mark, separator, and decimal comma, and minus signs are unchanged', async () => {
    const csv = { separator: ';', hasMark: true } as const
    const [first] = rows
    const text = await written('csv', { csv }, [
      { ...first, difference: -1.5 },
      { ...first, name: 'a;b' },
    ])
    expect(text).toBe('\ufeffqid;name;difference\nQ-1;リザードンex;-1,5\nQ-1;"a;b";-2\n')
  })

  test('JSON is one array of the wire objects', async () => {
    expect(JSON.parse(await written('json', {}))).toEqual(rows)
    expect(await written('json', {}, [])).toBe('[]\n')
  })

  test('NDJSON has one wire object a line', async () => {
    expect(
      (await written('ndjson', {}))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows)
  })

  test('JSON has only the chosen columns', async () => {
    expect(
      JSON.parse(
        await written('json', {
          isChosen: true,
          columns: columnsOf<(typeof rows)[number]>({ name: 'qid' }, { name: 'extra.a' }),
        }),
      ),
    ).toEqual([
      { qid: 'Q-1', 'extra.a': null },
      { qid: 'Q-2', 'extra.a': 1 },
    ])
  })

  test('an empty list is a header alone in TSV and CSV', async () => {
    expect(await written('tsv', {}, [])).toBe('qid\tname\tdifference\n')
    expect(await written('csv', {}, [])).toBe('qid,name,difference\n')
    expect(await written('tsv', { hasHeader: false }, [])).toBe('')
  })

  test('terminal commands in values are removed', async () => {
    const out = collectingOutlet()
    const writer = rowWriter({ ...base(out), format: 'table', columns: columns.slice(0, 2) })
    await writer.push([{ qid: 'Q-1', name: 'red \u001b[31m\u202etxt\u0007 end' }])
    for (const code of ['\u001b', '\u202e', '\u0007']) expect(out.text).not.toContain(code)
    expect(out.text).toContain('red  [31m txt  end')
  })
})

async function written(
  format: Format,
  options: Partial<RowWriterOptions>,
  given: unknown[] = rows,
): Promise<string> {
  const out = collectingOutlet()
  const writer = rowWriter({ ...base(out), format, ...options })
  if (given.length > 0) await writer.push(given)
  await writer.end()
  return out.text
}

function base(out: RowWriterOptions['out']): RowWriterOptions {
  return { format: 'tsv', out, columns, isChosen: false, hasHeader: true, isRaw: false, style: plainStyle }
}
