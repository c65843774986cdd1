import { existsSync, readdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { execa } from 'execa'
import { beforeEach, describe, expect, test } from 'vitest'
import { onBadMachine } from '../support/bad-machine.ts'
import { forEachTest } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'
const sheet = 'description,external_ref\nA holder,L-1\n'
const submit = ['manifests', 'submit', 'po-7.csv', '--reference', 'PO-7', '--source', 'card_show']
const operator = forEachTest(operatorWith('empty'))
beforeEach(async () => {
  operator.write('po-7.csv', sheet)
  operator.write('new.csv', `${header}\n${row('A')}${row('B')}`)
})

describe('a failure after a success is a warning', () => {
  test('failed rows go to stderr if their file cannot be written', async () => {
    operator.write('new.csv', `${header}\n${row('A')}${row('')}`)
    const env = onBadMachine({ call: 'openSync wx', path: 'new.csv.errors.csv', how: 'EROFS' })
    const { exitCode, stdout, stderr } = await operator.run(['products', 'import', 'new.csv'], { env })
    expect([exitCode, stdout]).toEqual([
      9,
      'created\t1\nfailed\t1\nsubmitted\t2\nunchanged\t0\nerrors_file\t\n',
    ])
    expect(stderr).toContain('Warning: new.csv.errors.csv cannot be written: the file system is read-only.')
    expect(stderr).toContain('row 2, line 3  sku')
    const again = await operator.run(['products', 'import', 'new.csv'])
    expect([again.exitCode, operator.read('new.csv.errors.csv').split('\n').length]).toEqual([9, 3])
    expect(countOf('products')).toBe(1)
  })

  test('an import is carried out although nobody reads its notices', async () => {
    const running = operator.start(['products', 'import', 'new.csv'])
    running.stderr?.destroy()
    const { exitCode, stdout } = await running
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('created\t2\n')])
  })
})

describe('a place where nothing can be saved', () => {
  test('a missing home, as in a container, changes nothing', async () => {
    const nothing = { XDG_STATE_HOME: '', XDG_CONFIG_HOME: '' }
    const init = ['init', '--database', 'x.db', '--name', 'x']
    for (const HOME of ['', 'here']) {
      const saved = await operator.run(init, { env: { ...nothing, HOME } })
      expect([saved.exitCode, saved.stderr]).toEqual([8, expect.stringContaining('You have no home folder')])
    }
    const env = { ...onBadMachine({ homeless: true }), ...nothing, HOME: undefined as never }
    const sent = await operator.run(['products', 'import', 'new.csv'], { env })
    expect([sent.exitCode, countOf('products')]).toEqual([0, 2])
    const read = await operator.run(['items', 'summary'], { env })
    expect([read.exitCode, read.stderr]).toEqual([0, ''])
    const checked = await operator.run(['doctor'], { env })
    expect([checked.exitCode, checked.stderr]).toEqual([0, ''])
  })

  test('a missing home is no obstacle if XDG_CONFIG_HOME names a folder for the settings', async () => {
    const homeless = { ...onBadMachine({ homeless: true }), HOME: undefined as never }
    const env = { ...homeless, XDG_CONFIG_HOME: operator.path('settings') }
    const set = await operator.run(['config', 'set', 'excel', 'true'], { env })
    expect([set.exitCode, set.stderr]).toEqual([0, 'excel is true.\n'])
  })
})

test('an unwritable home exits 8 at once and names the folder to set', async () => {
  const nowhere = { HOME: '/proc', XDG_STATE_HOME: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' }
  const saved = await operator.run(['init', '--database', 'x.db', '--name', 'x'], { env: nowhere })
  expect([saved.exitCode, saved.stderr]).toEqual([8, expect.stringContaining('XDG_CONFIG_HOME')])
  const own = await operator.run(['sandbox', 'seed'], { env: { ...nowhere, CUSTODY_DATABASE: '' } })
  expect([own.exitCode, own.stderr]).toEqual([8, expect.stringContaining('XDG_DATA_HOME')])
})

test('a relative XDG_DATA_HOME is ignored', async () => {
  const env = { XDG_DATA_HOME: 'here', CUSTODY_DATABASE: '' }
  const { stdout } = await operator.run(['whoami'], { env })
  expect(stdout).toContain(operator.path('.local/share/custody/sandbox.db'))
})

describe('--errors', () => {
  test.each([['products', 'import', 'new.csv'], submit])(
    'in a missing folder is reported before anything is sent: %s %s',
    async (...args) => {
      const { exitCode, stderr } = await operator.run([...args, '--errors', 'none/failed.csv'])
      expect(exitCode).toBe(2)
      expect(stderr).toContain(
        '--errors: none/failed.csv cannot be written: its folder does not exist. Nothing was sent.',
      )
      expect([countOf('products'), countOf('manifests')]).toEqual([0, 0])
    },
  )

  test('the failed rows of a pipe go to a file in the current folder', async () => {
    operator.write('new.csv', `${header}\n${row('A')}${row('')}`)
    const command = `"${process.execPath}" "${root}/bin/custody.js" products import <(cat new.csv)`
    const env = { CUSTODY_DATABASE: operator.database, XDG_STATE_HOME: operator.path('state') }
    const options = { cwd: operator.folder, env, reject: false } as const
    const { stdout, exitCode } = await execa('bash', ['-c', command], options)
    expect([exitCode, stdout]).toEqual([
      9,
      'created\t1\nfailed\t1\nsubmitted\t2\nunchanged\t0\nerrors_file\tpipe.errors.csv',
    ])
    expect(existsSync(operator.path('pipe.errors.csv'))).toBe(true)
  })
})

test('profiles created at the same time are all saved', async () => {
  const names = ['a', 'b', 'c', 'd']
  const init = (name: string) =>
    operator.real(['init', '--database', 'x.db', '--name', name, '--no-check', '--no-use'])
  const all = await Promise.all(names.map(init))
  expect(all.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0))
  const { profiles } = JSON.parse(operator.read('config/custody/config.json')) as { profiles: object }
  expect(Object.keys(profiles).sort()).toEqual(names)
  expect(readdirSync(operator.path('config/custody'))).toEqual(['config.json'])
})

function row(sku: string): string {
  return `Box ${sku},${sku},,7.7,6.9,3.6,in,36.2,oz,\n`
}

function countOf(table: string): unknown {
  const db = new DatabaseSync(operator.database, { readOnly: true })
  const { count } = db.prepare(`select count(*) as count from ${table}`).get() as { count: number }
  db.close()
  return count
}
