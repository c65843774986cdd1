import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageSizeMax } from '../../src/contract/limits.ts'
import { cliUser, forAllTests } from '../support/each.ts'

const user = forAllTests(cliUser)

test.each([
  [
    ['items', 'ls', '--page-size', String(pageSizeMax + 1)],
    `custody items ls: --page-size: a page has at most ${pageSizeMax} entries. For more rows use --limit or --all.`,
  ],
  [
    ['items', 'ls', '--columns', ' , '],
    'custody items ls: --columns needs the names of columns, separated by commas.',
  ],
  [
    ['events', 'ls', '--starting-after', 'nope'],
    'custody events ls: --starting-after: "nope" is not the id of an event. See: custody events ls --columns id,type',
  ],
  [
    ['items', 'find', '23062993'],
    'custody items find: There is no file 23062993. To look up an item: custody items show 23062993',
  ],
  [
    ['sandbox', 'receive', 'PO-1', '--only'],
    'custody sandbox receive: --only needs --line: name at least one line.',
  ],
  [
    ['completion', 'fissh'],
    'custody completion: shell: "fissh" is not one of bash, zsh, fish, powershell, install. Did you mean fish?',
  ],
  [
    ['items', 'ls', '--sort-by', "' is invalid. Allowed choices are x"],
    'custody items ls: --sort-by: "\' is invalid. Allowed choices are x" is not one of intake_at, updated_at.',
  ],
  [
    ['products', 'create', '--length', '0x10'],
    'custody products create: --length: "0x10" is not a number: give the number alone, without a unit.',
  ],
  [
    ['products', 'create', '--weight', '1e400'],
    'custody products create: --weight: "1e400" must be a number greater than 0.',
  ],
  [
    ['products', 'create', '--weight', '1'.repeat(41)],
    `custody products create: --weight: "${'1'.repeat(41)}" is not a number of at most 40 characters.`,
  ],
  [
    ['admin', 'partners', 'ls', '--database', '/nowhere/a.db'],
    'custody admin partners ls: /nowhere/a.db does not exist. Create it with: custody db migrate --database /nowhere/a.db',
  ],
])('%j: one line says what to do', async (args, line) => {
  const { code, out, err } = await user.run(args)
  expect([code, out, err]).toEqual([args[0] === 'admin' ? 8 : 2, '', `${line}\n`])
})

test('a JSON manifest is checked like a CSV file: faults are named by place, or lines are counted', async () => {
  const bad = { reference: 'R', lines: [{ description: 'x', quantity: 0 }, {}], note: 1 }
  const wrong = await user.run(['manifests', 'submit', '-', '--dry-run'], { input: JSON.stringify(bad) })
  expect([wrong.code, wrong.out, wrong.err.split('\n').slice(1, -1).sort()]).toEqual([
    6,
    '',
    [
      '  lines[0].quantity     is not valid',
      '  lines[1].description  is required',
      '  note                  is not known; leave it out',
    ],
  ])
  const good = JSON.stringify({ reference: 'R', lines: [{ description: 'x' }] })
  const right = await user.run(['manifests', 'submit', '-', '--dry-run'], { input: good })
  expect([right.code, right.out, right.err]).toEqual([
    0,
    'lines\t1\n',
    'stdin was checked; nothing was sent.\n',
  ])
  const list = await user.run(['products', 'create', '-'], { input: '[1]' })
  expect([list.code, list.err]).toEqual([6, expect.stringContaining(': stdin is not a JSON object.')])
})

test('a sandbox command outside a sandbox says so', async () => {
  const init = [
    'init',
    '--database',
    'p.db',
    '--partner',
    'P',
    '--environment',
    'production',
    '--name',
    'live',
  ]
  await user.run(init)
  await user.run(['webhooks', 'create', 'https://shop.example/hooks'])
  const { code, err } = await user.run(['sandbox', 'clock'])
  expect([code, err.split('\n').at(-2)]).toEqual([
    4,
    'custody sandbox clock: No such resource. Check the identifier, and that the target is a sandbox.',
  ])
})

test.each(['products import', 'products import --dry-run', 'manifests submit --reference R-1'])(
  'Ctrl-C while %s checks its file ends it with 130, and says that nothing was changed',
  async (command) => {
    const size = 'length,width,height,dimension_unit,weight,weight_unit'
    const input = command.startsWith('manifests')
      ? 'Title,Qty\nBox,1\n'
      : `name,sku,${size}\nBox,B-1,1,1,1,in,1,oz\n`
    const flags = command.startsWith('manifests')
      ? ['--map', 'Title=description', '--map', 'Qty=quantity']
      : []
    const args = [...command.split(' '), '-', ...flags, '--database', 'interrupted.db']
    const { code, err } = await user.run(args, { input, stop: AbortSignal.abort() })
    expect([code, err]).toEqual([130, expect.stringContaining('Interrupted; nothing was changed.')])
  },
)

test("--max-wait beyond a timer's limit waits that long for a locked database", async () => {
  const database = ['--database', 'long.db']
  await user.run(['sandbox', 'reset', '--no-seed', '--yes', ...database])
  const { code, err } = await user.run(['items', 'ls', ...database, '--max-wait', '30d'])
  expect([code, err]).toEqual([0, 'none found\n'])
})

test.each(['2026-02-30', '2026-04-31T10:00:00Z', '2025-02-29'])(
  'a day that no month has, %s, is rejected',
  async (day) => {
    const create = ['fulfillments', 'create', '--deliver-by', day]
    await user.run(['sandbox', 'reset', '--no-seed', '--yes', '--database', 'days.db'])
    for (const args of [
      ['items', 'ls', '--intake-after', day],
      ['items', 'ls', '--intake-before', day],
      ['events', 'tail', '--since', day],
      ['webhooks', 'replay', 'all', '--since', day],
      ['sandbox', 'clock', '--to', day],
      create,
    ]) {
      const { code, err } = await user.run([...args, '--database', 'days.db'])
      const flag = args.at(-2)
      expect([code, err]).toEqual([2, expect.stringContaining(`${flag}: "${day}" is not a `)])
      expect(err.includes('is not a time or the id of an event.')).toBe(args[1] === 'tail')
    }
  },
)

test.each(['events', 'events tail', 'manifests'])(
  '%s: every name that --columns offers can be chosen, and no part of a page is offered',
  async (noun) => {
    const list = noun.includes(' ') ? noun.split(' ') : [noun, 'ls']
    const database = ['--database', 'columns.db']
    await user.run(['sandbox', 'reset', '--no-seed', '--yes', ...database])
    const { err } = await user.run([...list, ...database, '--columns', '?'])
    const [, names = ''] = /The columns are (.*)\.\n/.exec(err) ?? []
    expect(names.split(', ').filter((name) => /^(results|has_more|next_|total$|page)/.test(name))).toEqual([])
    const { code, out } = await user.run([...list, ...database, '--columns', names.replaceAll(' ', '')])
    expect([code, out]).toEqual([0, `${names.replaceAll(', ', '\t')}\n`])
  },
)

test.each([[[]], [['--database', 'none.db']]])(
  'a read with --no-seed and %j creates no database',
  async (database) => {
    const home = join(user.home, 'nobody')
    const { code, err } = await user.run(['items', 'ls', '--no-seed', ...database], {
      env: { HOME: home },
      terminal: 80,
    })
    expect([code, err.replaceAll(/\s+/g, ' ')]).toEqual([
      8,
      expect.stringMatching(/The database .* does not exist/),
    ])
    const places = [join(home, '.local', 'share'), join(user.home, 'none.db')]
    expect(places.filter(existsSync)).toEqual([])
  },
)

test('an input file whose name is too long is wrong usage', async () => {
  for (const command of ['products import', 'manifests submit --reference R-1', 'items find']) {
    const { code, err } = await user.run([...command.split(' '), `${'n'.repeat(300)}.csv`])
    expect([command, code, err]).toEqual([
      command,
      2,
      expect.stringContaining('cannot be read: its name is too long.'),
    ])
  }
})

test.each([
  ['seed --no-seed', '--no-seed and sandbox seed cannot be used together.'],
  ['clock --to 3d', '--to: "3d" is an age, and so in the past. Use --advance 3d.'],
  ['clock --to 2026-02-30', '--to: "2026-02-30" is not a time. Give 2026-05-01 or 2026-05-01T09:00:00Z.\n'],
])('sandbox %s is rejected', async (words, message) => {
  const { code, err } = await user.run(['sandbox', ...words.split(' '), '--database', 'none.db'])
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})

test('one column cannot be mapped to two of ours', async () => {
  const args = ['products', 'import', '-', '--map', 'A=sku', '--map', 'a=name']
  const { code, err } = await user.run([...args, '--database', 'none.db'], { input: 'A\n1\n' })
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('--map: "A" cannot be both sku and name: give one.'),
  ])
})

test.each([
  ['.a | foo(1)', '--jq: foo/1 is not defined at line 1, column 6 of the program.'],
  ['.a |\n .b[', '--jq: syntax error, unexpected end of file at line 2, column 4 of the program.'],
  ['range(1e12)', '--jq: more than 1000000 results: for so many, pipe --json into jq.'],
  ['error({a: 1})', '--jq: {"a":1}.'],
  ['input', '--jq: there is no more input: "." is the whole result.'],
  ['.a', '--jq: Cannot index array with string ("a").'],
  ['"x" * 1e9 | [., .]', '--jq: the program needs more memory than jq has. Make it produce less at a time.'],
])('--jq %j: the error names the place in the program, on one line', async (program, message) => {
  const { code, err } = await user.run(['profiles', 'ls', '--jq', program])
  expect([code, err]).toEqual([2, `custody profiles ls: ${message}\n`])
})

test('a carriage return or space around an argument or variable, or quotes around a variable, are no part of it', async () => {
  for (const given of ['lines.db\r', '"lines.db"\r', "'lines.db'"]) {
    const env = { CUSTODY_DATABASE: given }
    await user.run(['sandbox', 'reset', '--no-seed', '--yes'], { env })
    expect(readdirSync(user.home).filter((name) => name.includes('lines'))).toEqual(['lines.db'])
  }
  const env = { CUSTODY_DATABASE: '"lines.db"' }
  for (const reference of ['PO-1', 'PO-1\r', ' PO-1 ', '\t PO-1']) {
    const submit = ['manifests', 'submit', '-', `--reference=${reference}`]
    const { code, err } = await user.run(submit, { env, input: 'description\nBox\n' })
    expect([code, err.includes('was submitted before')]).toEqual([0, reference !== 'PO-1'])
  }
  const { out } = await user.run(['manifests', 'show', 'PO-1\r', '--json'], { env })
  expect(JSON.parse(out)).toMatchObject({ reference: 'PO-1' })
  const commented = await user.run(['sql', ' -- none\nselect 1', '--mirror', 'none.db'], { env })
  expect(commented).toMatchObject({ code: 4, err: expect.stringContaining('There is no mirror none.db') })
})
