import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { forAllTests } from '../support/each.ts'
import { operatorWith, type Ran, root } from '../support/operator.ts'
import { serve } from '../support/served.ts'

const operator = forAllTests(operatorWith())

describe('in a terminal', () => {
  test('a list is an aligned table with coloured statuses, cut to the width, and names what did not fit', async () => {
    const columns = 'external_ref,status,recipient,destination,id'
    const args = ['fulfillments', 'ls', '--columns', columns]
    const { stdout, stderr } = await onTerminal(args, { COLUMNS: '60' })
    const lines = plain(stdout).trimEnd().split('\n')
    expect(lines[0]).toBe('REF        STATUS      RECIPIENT          TO')
    expect(lines[1]).toBe('WEB-20391  pending     佐藤 美咲          渋谷区, 東京都, JP')
    expect(stdout).toContain('\u001b[31mexception\u001b[39m')
    expect(plain(stderr)).toBe('no room for id; choose with --columns\n')
  })

  test("times are in the operator's zone", async () => {
    const { stdout } = await onTerminal(['manifests', 'ls', '--columns', 'created_at'])
    const [, first] = plain(stdout).split('\n')
    const [manifest] = await operator.look<Array<{ created_at: string }>>(['manifests', 'ls', '--limit', '1'])
    const local = new Date(manifest?.created_at ?? '').toLocaleString('sv-SE', {
      timeZone: 'America/New_York',
    })
    expect(first).toBe(local)
  })

  test('a date is the same day in every zone', async () => {
    const due = '2099-12-05'
    const line = { description: 'Slab', grader: 'PSA', cert_number: '70000001' }
    const body = { reference: 'DUE', expected_arrival_start: due, expected_arrival_end: due, lines: [line] }
    await operator.run(['manifests', 'submit', '-'], { input: JSON.stringify(body) })
    operator.write('due.csv', 'cert_number\n70000001\n')
    const { stdout } = await onTerminal(['items', 'find', 'due.csv', '--columns', 'answer,at'])
    expect(plain(stdout).split('\n')[1]).toMatch(new RegExp(`^expected +${due}$`))
  })

  test.each([
    [['items', 'summary', '--no-color'], {}],
    [['items', 'summary'], { NO_COLOR: '1' }],
    [['items', 'summary'], { TERM: 'dumb' }],
    [['items', 'summary'], { FORCE_COLOR: '0' }],
    [['items', 'summary'], { FORCE_COLOR: '1', NO_COLOR: '1' }],
  ])('%j with %j has no colour', async (args, env) => {
    const { stdout } = await onTerminal(args, env)
    expect(stdout).toMatch(/^STATUS +ITEMS\nreceived +8 +█+\n/)
  })

  test('a record shows its fields one below the other, then its parts', async () => {
    const { stdout } = await onTerminal(['manifests', 'show', 'PO-1042'], { COLUMNS: '120' })
    const text = plain(stdout)
    expect(text).toMatch(/^Reference {9}PO-1042\nStatus {12}receiving\n/)
    expect(text).toContain('\nLines (12)\nREF         STATUS    QTY  DESCRIPTION')
  })

  test('a part of a record that does not fit is only in JSON, and not offered as a column', async () => {
    const [imaged] = await operator.look<Array<{ qid: string }>>(['items', 'ls', '--status', 'available'])
    const { stdout, stderr } = await onTerminal(['items', 'show', imaged?.qid ?? ''], { COLUMNS: '60' })
    expect([plain(stdout), plain(stderr)]).toEqual([
      expect.stringContaining('\nVARIANT  FORMAT  SIZE\n'),
      'no room for url; see --json\n',
    ])
  })

  test('a report shows totals, then differences, and counts what matched', async () => {
    const report = ['manifests', 'report', 'PO-1041', '--columns', 'external_ref,status,difference']
    const summary = ['--summary-columns', 'reference,totals.missing']
    const { stdout, stderr } = await onTerminal([...report, ...summary])
    expect(plain(stdout)).toBe(
      [
        'Reference  PO-1041\nMissing    1\n',
        'Not as expected (3)',
        'REF         STATUS              DIFF',
        'PO-1041-18  missing               -1',
        'PO-1041-07  condition_mismatch     0',
        '            unexpected             1\n',
      ].join('\n'),
    )
    expect(plain(stderr)).toBe('33 lines matched; --lines lists them too\n')
    const all = plain((await onTerminal([...report, '--lines'])).stdout).split('\n')
    expect([all.length, all[1]]).toEqual([38, 'PO-1041-18  missing               -1'])
  })

  test('an event is one readable line', async () => {
    const { stdout } = await onTerminal(['events', 'tail', '--limit', '1', '--type', 'transfer.declined'], {
      COLUMNS: '100',
    })
    expect(plain(stdout)).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}transfer\.declined {18}SB-0302 {11}→ declined {2}1 item\n$/,
    )
  })
})

describe('output longer than the screen', () => {
  test('goes through CUSTODY_PAGER, or PAGER, and stderr follows the pager', async () => {
    const pager = { CUSTODY_PAGER: 'cat > paged.txt; echo $LESSCHARSET; echo left >&2', PAGER: 'false' }
    const { exitCode, stdout, stderr } = await onTerminal(['items', 'ls'], pager)
    expect([exitCode, stdout]).toEqual([0, 'utf-8\n'])
    expect(plain(stderr)).toMatch(/^left\nno room for .*\n25 of \d+; --all for the rest\n$/)
    expect(plain(operator.read('paged.txt'))).toMatch(/^QID +STATUS +NAME +GRADER +GRADE\n(Q-.*\n){25}$/)
    // Ctrl-C reaches both programs.
    const both = await onTerminal(['items', 'ls'], { CUSTODY_PAGER: 'kill -INT $PPID; cat; echo left' })
    expect([both.exitCode, both.stdout.split('\n').at(-2)]).toEqual([0, 'left'])
    const other = await onTerminal(['items', 'ls', '--all', '--columns', 'qid'], { PAGER: 'wc -l' })
    expect([other.exitCode, other.stdout]).toEqual([0, expect.stringMatching(/^ *\d{3}\n$/)])
  })

  test('may be left early without an error', async () => {
    const args = ['events', 'ls', '--all', '--columns', 'id,type']
    const { exitCode, stdout, stderr } = await onTerminal(args, { CUSTODY_PAGER: 'head -n 1' })
    expect([exitCode, plain(stdout).trim().split('\n').length, stderr]).toEqual([0, 1, ''])
  })

  test.each([
    ['with --no-pager', ['items', 'ls', '--no-pager'], {}],
    ['without such a pager', ['items', 'ls'], { CUSTODY_PAGER: 'no-such-pager -R' }],
    ['if the screen is long enough', ['items', 'ls', '--limit', '22'], {}],
  ])('is printed at once %s', async (_, args, env) => {
    const { exitCode, stdout } = await onTerminal(args, { CUSTODY_PAGER: 'cat > /dev/null', ...env })
    expect([exitCode, plain(stdout)]).toEqual([
      0,
      expect.stringMatching(/^QID +STATUS +NAME +GRADER +GRADE\nQ-/),
    ])
  })

  test('is not paged in a pipe', async () => {
    const { stdout } = await operator.run(['items', 'ls'], { env: { CUSTODY_PAGER: 'false' } })
    expect(stdout.split('\n').length).toBe(27)
  })
})

test('the demo runs to the end in a terminal where nothing is typed', async () => {
  const { exitCode, stdout, stderr } = await onTerminal(['demo'])
  expect([exitCode, stderr]).toEqual([0, expect.not.stringContaining('(y/N)')])
  expect(plain(stdout)).toMatch(/\nThat was the whole story, in \d/)
})

test('a column name never makes the terminal or a log obey it', async () => {
  const args = ['items', 'ls', '--columns', 'a\u001b[2J\u202e']
  for (const { stderr } of [await onTerminal(args), await operator.run(args)]) {
    expect(plain(stderr)).toMatch(/^custody items ls: --columns: there is no column "a \[2J "\. The columns/)
    for (const sign of ['\u001b[2J', '\u202e']) expect(stderr).not.toContain(sign)
  }
})

test('a large backup shows its progress', async () => {
  const large = new DatabaseSync(operator.path('large.db'))
  large.exec('create table filler (bytes blob); insert into filler values (zeroblob(12000000))')
  large.close()
  const args = ['db', 'backup', 'copy.db', '--database', 'large.db']
  const { exitCode, stdout, stderr } = await onTerminal(args, {}, '', ['hurried-clock.cjs'])
  expect([exitCode, stdout]).toEqual([0, `copy.db: 12.0 MB of ${operator.path('large.db')}, checked\n`])
  expect(plain(stderr)).toMatch(/copying 4\.1 of 12\.0 MB · \d+\.\d MB\/s · \d+ s left/)
})

test('hidden columns are named without colour if only stdout is a terminal', async () => {
  const args = ['fulfillments', 'ls', '--columns', 'external_ref,status,recipient,destination,id']
  const { stdout, stderr } = await onTerminal(args, { COLUMNS: '60', CUSTODY_TEST_TERMINALS: '0,1' })
  expect([stdout, stderr]).toEqual([
    expect.stringContaining('\u001b[31mexception\u001b[39m'),
    'no room for id; choose with --columns\n',
  ])
})

test('output is coloured in a pipe with FORCE_COLOR, except for programs', async () => {
  const env = { FORCE_COLOR: '1' }
  const table = await operator.run(['fulfillments', 'ls', '-o', 'table'], { env })
  expect(table.stdout).toContain('\u001b[31mexception\u001b[39m')
  for (const format of ['tsv', 'csv', 'json']) {
    const { stdout } = await operator.run(['fulfillments', 'ls', '-o', format], { env })
    expect(stdout).not.toContain('\u001b')
  }
})

test('an irreversible question names the target in colour: Enter is no, y is yes', async () => {
  const place = ['--database', 'live.db', '--partner', 'Northgate', '--environment', 'production']
  await operator.run(['init', ...place, '--name', 'live', '--no-use'])
  const live = ['--profile', 'live']
  const body = JSON.stringify({ reference: 'PX', lines: [{ description: 'A box' }] })
  await operator.run(['manifests', 'submit', '-', ...live], { input: body })
  const close = (input: string): Promise<Ran> => onTerminal(['manifests', 'close', 'PX', ...live], {}, input)
  const kept = await close('\n')
  expect([kept.exitCode, kept.stdout]).toEqual([130, ''])
  expect(kept.stderr.startsWith('Writing to \u001b[31m\u001b[1mPRODUCTION')).toBe(true)
  expect(plain(kept.stderr)).toMatch(/Close it\? \(y\/N\)[\s\S]*Nothing was changed\.\n$/)
  const closed = await close('y\n')
  expect([closed.exitCode, plain(closed.stderr)]).toEqual([0, expect.stringContaining('PX is reconciled')])
})

test.each([
  [['--no-color'], { FORCE_COLOR: '1' }],
  [[], { FORCE_COLOR: '1', NO_COLOR: '1' }],
  [[], { FORCE_COLOR: '1', TERM: 'dumb' }],
])('a question has no colour with %j and %j', async (flags, env) => {
  await operator.run(['init', '--database', 'x.db', '--name', 'asked', '--no-check', '--no-use'])
  const { exitCode, stderr } = await onTerminal(['profiles', 'rm', 'asked', ...flags], env, 'n\n')
  expect([exitCode, stderr]).toEqual([130, expect.stringContaining('(y/N)')])
  for (const text of ['\u001b[34m', '\u001b[1m', 'is ignored']) expect(stderr).not.toContain(text)
})

test('a question longer than a line is broken between words', async () => {
  const body = JSON.stringify({ reference: 'NARROW', lines: [{ description: 'Slab' }] })
  await operator.run(['manifests', 'submit', '-'], { input: body })
  const { stderr } = await onTerminal(['manifests', 'close', 'NARROW'], { COLUMNS: '30' }, 'n\n')
  expect(plain(stderr)).toContain('\n? 1 unit of 1 on NARROW\nwill be missing.\nClose it? (y/N)')
})

test('an import asks once about orders that equal earlier ones: Enter skips them, n orders them', async () => {
  const head = 'sku,quantity,recipient_name,street,city,state,zip,country\n'
  const row = (name: string) => `SUP-TOP-35,1,${name},1 Main St,Austin,TX,73301,US\n`
  const send = (rows: string, input = '', ...flags: string[]) => {
    operator.write('orders.csv', head + rows)
    return onTerminal(['fulfillments', 'import', 'orders.csv', '-o', 'tsv', ...flags], {}, input)
  }
  await send(row('Ann') + row('Bob'))
  const kept = await send(row('Bob') + row('Ann') + row('Cyd'), '\n')
  expect([kept.exitCode, plain(kept.stdout)]).toEqual([
    0,
    expect.stringContaining('created\t1\nfailed\t0\nsubmitted\t3\nalready_ordered\t2\n'),
  ])
  const dry = await send(row('Ann') + row('Cyd') + row('Dan'), '', '--dry-run')
  expect(plain(dry.stderr)).toContain('2 rows equal earlier orders: the import will ask.')
  expect(plain(dry.stderr)).toContain('The import would order 1 row in 1 parcel.')
  expect(plain(dry.stderr)).not.toContain('ordered before')
  const question =
    /2 rows equal earlier orders \(the newest of .*\)\. Skip them\? If you answer no, they are ordered again\. \(Y\/n\)/
  expect(inOneLine(kept.stderr)).toMatch(question)
  const ordered = await send(row('Ann'), 'n\n')
  expect([ordered.exitCode, plain(ordered.stdout)]).toEqual([0, expect.stringContaining('created\t1\n')])
  const ended = await send(row('Bob'), '')
  expect([ended.exitCode, plain(ended.stdout)]).toEqual([130, ''])
})

test("errors and notices name times in the operator's zone", async () => {
  operator.write('twice.csv', 'sku\nPKM-151-ETB\n')
  await operator.run(['warehouse', 'intake', 'twice.csv'])
  const again = await onTerminal(['warehouse', 'intake', 'twice.csv'])
  const local = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/.source
  expect(inOneLine(again.stderr)).toMatch(
    new RegExp(`The rows of twice.csv were received at ${local}: 1 item`),
  )
  const key = await onTerminal(['admin', 'keys', 'create', 'Sandbox', '--expires-in', '90d'])
  expect(inOneLine(key.stderr)).toMatch(new RegExp(`It ends at ${local}\\.`))
})

test('a file of failed rows says the same, whether a terminal or a pipe wrote it', async () => {
  const head = 'sku,quantity,recipient_name,street,city,state,zip,country\n'
  const row = (name: string) => `SUP-TOP-35,1,${name},1 Main St,Austin,TX,73301,US\n`
  const send = (file: string, rows: string) => [
    'fulfillments',
    'import',
    operator.write(file, head + rows),
    '--if-equal',
    'fail',
  ]
  await operator.run(send('first.csv', row('Eve')))
  await operator.run(send('piped.csv', row('Eve') + row('Flo')))
  await onTerminal(send('typed.csv', row('Eve') + row('Gus')))
  const failed = ['piped.csv', 'typed.csv'].map((file) => operator.read(`${file}.errors.csv`))
  expect(failed[1]).toBe(failed[0])
})

test('an import asks about hidden rows of a workbook: Enter skips them, the second choice reads them', async () => {
  copyFileSync(join(root, 'test', 'exports', 'psa-order.xlsx'), operator.path('order.xlsx'))
  const check = (input: string) =>
    onTerminal(['manifests', 'submit', 'order.xlsx', '--dry-run', '--offline', '-o', 'csv'], {}, input)
  const [left, read] = [await check('\r'), await check('\u001b[B\r')]
  expect(plain(left.stderr)).toContain(
    'order.xlsx hides row 6 of its sheet, by a filter or by hand. Read them too?',
  )
  expect([left.stdout.includes('Grouped'), read.stdout.includes('Grouped')]).toEqual([false, true])
  expect(plain(read.stderr)).toContain('1 hidden row is read too.')
})

test('an import asks about an uncertain encoding, and shows the line in each', async () => {
  operator.write('mac.csv', Buffer.from('description\nBox\nPok\x8emon\n', 'latin1'))
  const check = (input: string) =>
    onTerminal(['manifests', 'submit', 'mac.csv', '--dry-run', '--offline', '-o', 'csv'], {}, input)
  const read = await check('\u001b[B\r')
  expect(plain(read.stderr)).toContain('How is mac.csv encoded? Which of these is line 3?')
  expect(plain(read.stderr)).toMatch(/windows-1252: PokŽmon[\s\S]*macintosh: Pokémon/)
  expect(read.stdout).toContain('Pokémon')
})

test('a notice during an import takes the place of its progress line', async () => {
  const served = await serve(operator, { isOwn: true, flags: ['--rate-limit', '4:6'] })
  const head = 'sku,quantity,recipient_name,street,city,state,zip,country,external_ref\n'
  const row = (at: number) => `SUP-OT-35,1,Ann,1 Main St,Austin,TX,73301,US,N-${at}\n`
  operator.write('orders.csv', head + Array.from({ length: 12 }, (_, at) => row(at)).join(''))
  const order = ['fulfillments', 'import', 'orders.csv', '--ship-by', 'order']
  const { stderr } = await onTerminal(order, served.overHttp.env, '', ['hurried-clock.cjs'])
  await served.stop()
  // The end of the progress line's update, then the terminal's order to clear the line.
  expect(stderr).toContain(' s left\u001b[?2026l\u001b[KToo many requests; retrying')
})

test('an import whose terminal is closed ends by its signal, not by a line that cannot be drawn', async () => {
  const row = (at: number) => `Box,B-${at},1,1,1,in,1,oz\n`
  const head = 'name,sku,length,width,height,dimension_unit,weight,weight_unit\n'
  operator.write('boxes.csv', head + Array.from({ length: 20_000 }, (_, at) => row(at)).join(''))
  const preload = (file: string) => `--require "${join(root, 'test', 'support', file)}"`
  const NODE_OPTIONS = ['pretend-terminal.cjs', 'hurried-clock.cjs'].map(preload).join(' ')
  const importing = operator.start(['products', 'import', 'boxes.csv'], {
    buffer: false,
    env: { NODE_OPTIONS },
  })
  for await (const part of importing.stderr!) if (String(part).includes('sending')) break
  importing.kill('SIGHUP')
  // Nobody reads the terminal any more.
  expect((await importing).exitCode).toBe(130)
})

function onTerminal(
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
  preloads: readonly string[] = [],
): Promise<Ran> {
  const required = ['pretend-terminal.cjs', ...preloads].map((file) => join(root, 'test', 'support', file))
  return operator.run(args, {
    input,
    env: {
      TERM: 'xterm-256color',
      PAGER: 'cat',
      NODE_OPTIONS: required.map((file) => `--require "${file}"`).join(' '),
      ...env,
    },
  })
}

function inOneLine(text: string): string {
  return plain(text).replaceAll(/\s+/g, ' ')
}

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour is.
  return text.replaceAll(/\u001b\[[\d;?]*[a-zA-Z]/g, '')
}
