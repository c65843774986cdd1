import { describe, expect, test } from 'vitest'
import { usage } from '../../src/cli/base/cli-error.ts'
import type { Io } from '../../src/cli/base/io.ts'
import { ownSequence } from '../../src/cli/base/terminal-text.ts'
import type { Session } from '../../src/cli/command.ts'
import { watched } from '../../src/cli/list/watch.ts'
import { watchScreen } from '../../src/cli/list/watch-screen.ts'
import { collectingOutlet } from './collecting-outlet.ts'

const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l'
const leave = '\u001b[?7h\u001b[?25h\u001b[?1049l'

describe('--watch', () => {
  test("redraws the command's output in place every given seconds until it is stopped", async () => {
    const { session, out, stop } = watching()
    const waits: number[] = []
    let runs = 0
    await watchScreen(
      session,
      7,
      show('ITEMS\n', () => `${++runs}\n`),
      async (ms) => {
        waits.push(ms)
        if (waits.length === 3) stop()
      },
    )
    expect(waits).toEqual([7000, 7000, 7000])
    expect(out.text).toBe(enter + [1, 2, 3].map((run) => frame(['', 'ITEMS', String(run)])).join('') + leave)
  })

  test('counts the lines that do not fit on the screen', async () => {
    const { session, out, stop } = watching({ rows: 5 })
    await watchScreen(session, 1, show('1\n2\n3\n4\n'), async () => stop())
    expect(out.text).toBe(`${enter}${frame(['', '1', '2', '… 2 more lines'])}${leave}`)
  })

  test('keeps the last character of a line as wide as the screen, and cuts a wider one with an ellipsis', async () => {
    const { session, out, stop } = watching({ rows: 4 })
    const full = 'x'.repeat(79)
    await watchScreen(session, 1, show(`${full}1\n${ownSequence}31m${full}${ownSequence}39m2y`), async () =>
      stop(),
    )
    const bytes = out.text.slice(enter.length, -leave.length)
    expect(screenOf(bytes, 80, 4).slice(1)).toEqual(['', `${full}1`, `${full}…`])
    const shorter = watching({ rows: 4 })
    await watchScreen(shorter.session, 1, show(`a\n${full}3`), async () => shorter.stop())
    expect(screenOf(bytes + shorter.out.text.slice(enter.length, -leave.length), 80, 4).slice(2)).toEqual([
      'a',
      `${full}3`,
    ])
  })

  test('restores the terminal when the command fails, and fails with it', async () => {
    const { session, out } = watching()
    const failing = watchScreen(session, 1, async () => {
      throw usage('No.')
    })
    await expect(failing).rejects.toThrow('No.')
    expect(out.text).toBe(enter + leave)
    expect(process.listeners('exit').map(({ name }) => name)).not.toContain('restore')
  })

  test('stops at once while the target does not answer', async () => {
    const { session, out, stop } = watching()
    await watchScreen(session, 1, () => {
      stop()
      return new Promise(() => {})
    })
    expect(out.text).toBe(enter + leave)
  })

  test('shows stderr on the same screen', async () => {
    const { session, out, err, stop } = watching()
    const noting = async (own: Session): Promise<void> => own.notice('25 of 142')
    await watchScreen(session, 1, noting, async () => stop())
    expect(out.text).toContain('25 of 142')
    expect(err.text).toBe('')
  })

  test('needs a terminal with a movable cursor, a table, and a whole number of seconds', async () => {
    const rejected = (session: Session, watch: string) => watched(session, { watch }, async () => {})
    const hint = { ending: 'usage', message: expect.stringContaining('--watch') }
    await expect(rejected(watching({ isTerminal: false }).session, '5')).rejects.toMatchObject(hint)
    await expect(rejected(watching({ options: { json: true } }).session, '5')).rejects.toMatchObject(hint)
    await expect(rejected(watching({ term: 'dumb' }).session, '5')).rejects.toMatchObject(hint)
    for (const watch of ['0', '0.5', '-1', 'often'])
      await expect(rejected(watching().session, watch)).rejects.toMatchObject(hint)
  })

  test('shows the output once if it is omitted', async () => {
    const { session, out } = watching()
    await watched(session, {}, show('once\n'))
    expect(out.text).toBe('once\n')
  })
})

type Watching = { rows?: number; isTerminal?: boolean; term?: string; options?: Session['options'] }

function watching({ rows = 24, isTerminal = true, term = 'xterm', options = {} }: Watching = {}) {
  const controller = new AbortController()
  const out = Object.assign(collectingOutlet({ isTerminal }), { rows: () => rows })
  const err = collectingOutlet({ isTerminal })
  const io: Io = {
    env: { NO_COLOR: '1', TERM: term },
    cwd: '.',
    stdin: { isTerminal: false, chunks: async function* () {} },
    out,
    err,
    now: () => new Date(2026, 4, 1, 11, 0, 5).getTime(),
    stopSignal: () => controller.signal,
  }
  const same = (text: string): string => text
  const session = {
    io,
    options,
    commandName: 'custody items ls',
    errStyle: { dim: same },
    target: async () => ({}),
  }
  return { session: session as unknown as Session, out, err, stop: () => controller.abort() }
}

function show(...parts: Array<string | (() => string)>): (session: Session) => Promise<void> {
  return async ({ io }) => {
    for (const part of parts) io.out.write(typeof part === 'string' ? part : part())
  }
}

function frame(lines: readonly string[]): string {
  const all = [
    `custody items ls, every ${lines.includes('ITEMS') ? 7 : 1} s: 2026-05-01 11:00:05; Ctrl-C ends`,
    ...lines,
  ]
  const last = all.length - 1
  return `\u001b[H${all.map((line, index) => `\u001b[${index < last ? 'K' : 'J'}${line}`).join('\n')}`
}

/** What a terminal of this size shows after these bytes, with long lines cut as with `CSI ?7l`. */
function screenOf(bytes: string, columns: number, rows: number): string[] {
  const cells = Array.from({ length: rows }, () => Array<string>(columns).fill('?'))
  let [row, column] = [0, 0]
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what moves the cursor.
  for (const [token] of bytes.matchAll(/\u001b\[[\d;?]*[a-zA-Z]|[\s\S]/gu)) {
    if (token === '\u001b[H') [row, column] = [0, 0]
    else if (token === '\u001b[K') cells[row]?.fill(' ', column)
    else if (token === '\u001b[J')
      for (let at = row; at < rows; at++) cells[at]?.fill(' ', at === row ? column : 0)
    else if (token === '\n') [row, column] = [row + 1, 0]
    else if (!token.startsWith('\u001b')) {
      const cell = cells[row]
      if (cell) cell[column] = token
      // After the last column, the next character overwrites it.
      column = Math.min(column + 1, columns - 1)
    }
  }
  return cells.map((line) => line.join('').trimEnd())
}
