import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test, vi } from 'vitest'
import type { Product } from '../../src/contract/resources/product.ts'
import { forEachTest } from '../support/each.ts'
import { listening } from '../support/free-port.ts'
import { operatorWith } from '../support/operator.ts'
import { serve } from '../support/served.ts'

const header = 'name,sku,upc,length,width,height,dimension_unit,weight,weight_unit,image_url'
const operator = forEachTest(operatorWith('empty'))

describe('products import', () => {
  test('creates the rows and prints totals on stdout and the target on stderr', async () => {
    const { exitCode, stdout, stderr } = await operator.run([
      'products',
      'import',
      operator.fixture('catalog.csv'),
    ])
    expect(stdout).toBe('created\t72\nfailed\t0\nsubmitted\t72\nunchanged\t0\nerrors_file\t\n')
    expect(stderr).toBe(`Writing to sandbox: embedded database ${operator.database}\n`)
    expect(exitCode).toBe(0)
    expect(existsSync(operator.path('catalog.csv.errors.csv'))).toBe(false)
  })

  test('adds nothing for the same file again, also with --again, and says so', async () => {
    const file = operator.fixture('catalog.csv')
    await operator.run(['products', 'import', file])
    const again = await operator.run(['products', 'import', file, '--resume'])
    expect([again.exitCode, again.stdout]).toEqual([
      0,
      expect.stringMatching(/^created\t0\n[\s\S]*unchanged\t72\n/),
    ])
    expect(again.stderr).toContain('Nothing new: 72 rows were imported before.')
    const anew = await operator.run(['products', 'import', file, '--again', '--json'])
    expect([anew.exitCode, JSON.parse(anew.stdout).totals]).toEqual([
      9,
      { created: 0, failed: 72, submitted: 72, unchanged: 0 },
    ])
    expect(await catalogSize()).toBe(72)
  })

  test('writes failed rows to FILE.errors.csv; importing the corrected file adds only those', async () => {
    const rows = [
      row('A', { name: 'Pokémon "151", Box' }),
      row('B', { weight: 'heavy' }),
      row('C', { unit: 'inches' }),
    ]
    const file = operator.write(
      'new.csv',
      `\ufeff${header},notes\n${rows.map((line) => `${line},x\n`).join('')}`,
    )
    const first = await operator.run(['products', 'import', file, '--ignore-columns', 'Notes'])
    expect(first.exitCode).toBe(9)
    expect(first.stdout).toBe(
      'created\t1\nfailed\t2\nsubmitted\t3\nunchanged\t0\nerrors_file\tnew.csv.errors.csv\n',
    )
    expect(first.stderr).toContain('2 rows failed:\n  row 2, line 3  weight "heavy" is not a number')
    const errors = operator.read('new.csv.errors.csv')
    expect(errors.split('\n')[0]).toBe(`\ufeff${header},notes,error_row,error_code,error_message`)
    expect(errors.split('\n')[1]).toMatch(/^Box B,B,.*,x,2,validation_error,"?weight ""heavy""/)
    operator.write('new.csv.errors.csv', errors.replace(',heavy,', ',12,').replace(',inches,', ',in,'))
    const second = await operator.run([
      'products',
      'import',
      'new.csv.errors.csv',
      '--ignore-columns',
      'notes',
    ])
    expect([second.exitCode, second.stdout.split('\n')[0]]).toEqual([0, 'created\t2'])
    const names = (await operator.look<Product[]>(['products', 'ls'])).map(({ name }) => name)
    expect(names.sort()).toEqual(['Box B', 'Box C', 'Pokémon "151", Box'])
  })

  test('sends and writes nothing with --dry-run', async () => {
    const file = operator.write(
      'new.csv',
      [header, row('A'), row('A'), row('B', { weight: '0' }), ''].join('\n'),
    )
    const before = readdirSync(operator.folder).sort()
    const { exitCode, stdout, stderr } = await operator.run(['products', 'import', file, '--dry-run'])
    expect([exitCode, stdout]).toEqual([6, 'rows\t3\ngood\t0\nbad\t3\n'])
    expect(stderr).toContain('row 2, line 3  sku "A" is also in row 1, line 2: keep one of them.')
    expect(stderr).toContain('new.csv was checked; nothing was sent.')
    expect(stderr).not.toContain('Writing to')
    expect(readdirSync(operator.folder).sort()).toEqual(before)
    expect(await catalogSize()).toBe(0)
  })

  test('finds a SKU repeated thousands of rows later with --dry-run', async () => {
    const rows = Array.from({ length: 6000 }, (_, index) => row(`S-${index}`))
    const file = operator.write('long.csv', [header, ...rows, row('S-17'), ''].join('\n'))
    const { exitCode, stderr } = await operator.run(['products', 'import', file, '--dry-run'])
    expect(stderr).toContain('row 6001, line 6002  sku "S-17" is also in row 18, line 19: keep one of them.')
    expect(exitCode).toBe(9)
  })

  test('renames columns with --map and reads stdin', async () => {
    const input = `${header.replace('sku', '"Item, Nr"')}\n${row('A')}\n`
    const unknown = await operator.run(['products', 'import', '-'], { input })
    expect(unknown.exitCode).toBe(6)
    expect(unknown.stderr).toMatch(/ {2}Item, Nr +is not known/)
    expect(unknown.stderr).toContain('--map theirs=ours')
    const { exitCode, stdout } = await operator.run(['products', 'import', '-', '--map', 'Item, Nr=sku'], {
      input,
    })
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, 'created\t1'])
  })

  test.each([
    'products/duplicate-header.csv',
    'faults/utf16.csv',
    'faults/empty.csv',
    'faults/unterminated-quote.csv',
  ])('rejects %s as a whole: it exits 6, names the file first, and sends nothing', async (fixture) => {
    const name = operator.fixture(fixture)
    const { exitCode, stderr, stdout } = await operator.run(['products', 'import', name])
    expect([exitCode, stdout]).toEqual([6, ''])
    expect(stderr).toMatch(new RegExp(`^(?:Read as .*\\n)?custody products import: ${name} .*\\n`))
  })

  test.each([
    ['no-such.csv', 'There is no file no-such.csv.'],
    ['.', '. is a directory; give the path of a file.'],
  ])('exits 2 for a file that cannot be read (%s)', async (file, message) => {
    const { exitCode, stderr } = await operator.run(['products', 'import', file])
    expect([exitCode, stderr]).toEqual([2, `custody products import: ${message}\n`])
  })

  test('exits 5 if the idempotency key was used for something else', async () => {
    const key = ['--idempotency-key', 'nightly']
    await operator.run(['products', 'import', operator.write('a.csv', `${header}\n${row('A')}\n`), ...key])
    const second = await operator.run([
      'products',
      'import',
      operator.write('b.csv', `${header}\n${row('B')}\n`),
      ...key,
    ])
    expect(second.exitCode).toBe(5)
    expect(second.stderr).toContain(
      'The idempotency key was already used for another request; nothing was done. Give another --idempotency-key.',
    )
    expect(await catalogSize()).toBe(1)
  })
})

describe('an interrupted import', () => {
  const rows = Array.from({ length: 14_000 }, (_, index) =>
    row(`S-${index}`, index === 3 ? { weight: 'x' } : {}),
  )

  test('is resumed by the same command after a kill at any point, and its failed rows are written again', async () => {
    const file = operator.write('long.csv', [header, ...rows, ''].join('\n'))
    for (const size of [1, 5001]) {
      const child = operator.start(['products', 'import', file])
      await created(size)
      child.kill('SIGKILL')
      await child
    }
    const { exitCode, stdout } = await operator.run(['products', 'import', file])
    const [all, failed, , same] = stdout.split('\n').map((line) => Number(line.split('\t')[1]))
    expect([exitCode, (all ?? 0) + (same ?? 0), failed]).toEqual([9, 13_999, 1])
    expect(await catalogSize()).toBe(13_999)
    expect(operator.read('long.csv.errors.csv').split('\n').length).toBe(3)
  })

  test('exits 130 on Ctrl-C over HTTP and says what was done; the same command sends the rest', async () => {
    const skus = Array.from({ length: 12_000 }, (_, index) => `S-${index}`)
    const file = operator.write('long.csv', [header, ...skus.map((sku) => row(sku)), ''].join('\n'))
    const { stop, ...served } = await serve(operator)
    const env = { ...served.env, CUSTODY_DATABASE: '' }
    const command = ['products', 'import', file]
    const child = operator.start(command, { env })
    await created(1, served.database)
    child.kill('SIGINT')
    const { exitCode: interrupted, stderr } = await child
    expect([interrupted, String(stderr)]).toEqual([
      130,
      expect.stringMatching(
        /Interrupted\. \d+(,000)? of 12,000 rows are known to be done; run the same command again to send the rest; nothing is sent twice\./,
      ),
    ])
    const { exitCode } = await operator.run([...command, '--resume'], { env })
    const listing = ['products', 'ls', '--all', '--columns', 'sku', '--no-header']
    const there = (await operator.run(listing, { env })).stdout.trimEnd().split('\n')
    expect([exitCode, there.sort()]).toEqual([0, skus.sort()])
    await stop()
  })

  test.each([
    ['products import', `${header}\n${row('A')}\n`],
    [
      'fulfillments import --dry-run',
      `sku,quantity,recipient_name,street,city,state,zip,country\nA,1,Ann,1 Main St,Reno,NV,89501,US\n`,
    ],
  ])('%s stops waiting on Ctrl-C if the service does not answer', async (command, text) => {
    const silent = Promise.withResolvers<void>()
    const server = createServer(({ url }, reply) => {
      // Another implementation has its own document.
      if (command.endsWith('run') && url?.includes('openapi')) reply.end('{"openapi":"3.1.0"}')
      else silent.resolve()
    })
    const port = await listening(server)
    const env = { CUSTODY_DATABASE: '', CUSTODY_BASE_URL: `http://127.0.0.1:${port}`, CUSTODY_API_KEY: 'x' }
    const child = operator.start([...command.split(' '), operator.write('one.csv', text)], { env })
    await silent.promise
    child.kill('SIGINT')
    const { exitCode, stderr } = await child
    const told = expect.stringContaining('Interrupted; nothing was changed.')
    expect([exitCode, stderr]).toEqual([130, told])
    server.closeAllConnections()
    server.close()
  })

  test('is sent again as a whole to a database that was emptied since', async () => {
    const file = operator.write('long.csv', [header, ...rows.slice(4, 6000), ''].join('\n'))
    await operator.run(['products', 'import', file])
    writeFileSync(operator.database, '')
    expect((await operator.run(['sandbox', 'reset', '--yes', '--no-seed'])).exitCode).toBe(0)
    const { exitCode, stdout } = await operator.run(['products', 'import', file, '--resume'])
    expect([exitCode, stdout.split('\n')[0]]).toEqual([0, 'created\t5996'])
  })

  /** Waits until the database has that many products. */
  async function created(products: number, file = operator.database): Promise<void> {
    await vi.waitUntil(() => productsIn(file) >= products, { timeout: 60_000, interval: 5 })
  }
})

function productsIn(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    return (db.prepare('select count(*) as count from products').get() as { count: number }).count
  } finally {
    db.close()
  }
}

type Cells = { name?: string; weight?: string; unit?: string }

function row(sku: string, { name = `Box ${sku}`, weight = '12.5', unit = 'in' }: Cells = {}): string {
  const cell = /[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
  return `${cell},${sku},,7,6,3,${unit},${weight},oz,`
}

async function catalogSize(): Promise<number> {
  const { stderr, stdout } = await operator.run(['products', 'ls', '--page-size', '1', '--no-header'])
  const [, total] = /of ([\d,]+)/.exec(stderr) ?? []
  return total === undefined ? Number(stdout !== '') : Number(total.replaceAll(',', ''))
}
