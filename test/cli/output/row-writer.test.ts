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
  test('as an aligned table in which a CJK character counts two', async () => {
    expect(await written('table', {})).toBe(
      'QID  NAME          DIFF\nQ-1  リザードンex    -2\nQ-2  =cmd()           0\n',
    )
  })

  test('as a table that is cut to the line, a wide character never halved', async () => {
    const out = collectingOutlet({ columns: 29 })
    const writer = rowWriter({ ...base(out), format: 'table', columns: columns.slice(0, 2) })
    await writer.push([{ qid: 'Q-1', name: '日本語のとても長い名前がここにあります' }])
    expect(out.text).toBe('QID  NAME\nQ-1  日本語のとても長い名前…\n')
  })

  test('as a table whose widths the first rows set, no id ever cut', async () => {
    const out = collectingOutlet()
    const writer = rowWriter({ ...base(out), format: 'table', columns: columns.slice(0, 2) })
    await writer.push([{ qid: 'Q-1', name: 'a longer name' }])
    await writer.push([{ qid: 'Q-22222', name: 'b' }])
    expect(out.text).toBe('QID  NAME\nQ-1  a longer name\nQ-22222  b\n')
  })

  test('as a table whose first rows are seen before the last are laid out, at the same cost for each', async () => {
    const looks = { all: 0, beforeText: 0 }
    const out = collectingOutlet()
    const write = out.write
    out.write = (text) => {
      looks.beforeText ||= looks.all
      write(text)
    }
    const counted = columnsOf<{ n: number }>({ name: 'n', of: ({ n }) => ++looks.all && n })
    const writer = rowWriter({ ...base(out), format: 'table', columns: counted })
    await writer.push(Array.from({ length: 30_000 }, (_, n) => ({ n })))
    expect(out.text.split('\n')).toHaveLength(30_002)
    expect(looks.beforeText).toBeLessThan(2_000)
    expect(looks.all).toBeLessThan(40_000)
  })

  test('as tab-separated text, on one line each whatever is in a value', async () => {
    const out = collectingOutlet()
    const writer = rowWriter({ ...base(out), format: 'tsv' })
    await writer.push([{ qid: 'Q-1', name: 'a\tb\nc', difference: null }])
    await writer.end()
    expect(out.text).toBe('qid\tname\tdifference\nQ-1\ta b c\t\n')
  })

  test('as CSV that no spreadsheet takes for a formula, numbers left alone', async () => {
    expect(await written('csv', {})).toBe("qid,name,difference\nQ-1,リザードンex,-2\nQ-2,'=cmd(),0\n")
    expect(await written('csv', { isRaw: true })).toBe(
      'qid,name,difference\nQ-1,リザードンex,-2\nQ-2,=cmd(),0\n',
    )
  })

  test('as CSV that is guarded wherever a spreadsheet may cut a cell, and behind a tab or a return', async () => {
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

  test('as CSV for Excel: its mark, its separator and its decimal comma, a minus sign left alone', async () => {
    const csv = { separator: ';', hasMark: true } as const
    const [first] = rows
    const text = await written('csv', { csv }, [
      { ...first, difference: -1.5 },
      { ...first, name: 'a;b' },
    ])
    expect(text).toBe('\ufeffqid;name;difference\nQ-1;リザードンex;-1,5\nQ-1;"a;b";-2\n')
  })

  test('as one JSON array of the wire objects', async () => {
    expect(JSON.parse(await written('json', {}))).toEqual(rows)
    expect(await written('json', {}, [])).toBe('[]\n')
  })

  test('as NDJSON, a wire object on each line', async () => {
    expect(
      (await written('ndjson', {}))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows)
  })

  test('with chosen columns JSON has these fields alone', async () => {
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

  test('an empty list is a header in tsv and csv', async () => {
    expect(await written('tsv', {}, [])).toBe('qid\tname\tdifference\n')
    expect(await written('csv', {}, [])).toBe('qid,name,difference\n')
    expect(await written('tsv', { hasHeader: false }, [])).toBe('')
  })

  test('nothing in a value reaches the terminal as a command to it', async () => {
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
