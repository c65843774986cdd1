import { createWriteStream, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { stringify } from 'csv-stringify'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { forAllTests } from '../support/each.ts'
import { operatorWith } from '../support/operator.ts'
import { chanceOf, isLong, seed } from '../support/soak.ts'

/** test/acceptance/imports.test.ts has the short form. */
const rows = 1_000_000
const kills = 20
const chunkRows = 5000
/** At regular intervals one row is bad, and one repeats the SKU of the row before it. */
const badEvery = 1013
const repeatedEvery = 1511
/** 250 MB. */
const memoryMaxMiB = 238

describe.runIf(isLong)(`kill -9 of an import of ${rows} rows (seed ${seed})`, () => {
  const operator = forAllTests(operatorWith('empty'))
  beforeAll(async () => {
    await writeCatalog(operator.path('many.csv'))
  })

  test(`${kills} times at any point, each followed by the same command, gives exactly the file's rows`, async () => {
    const chance = chanceOf(seed)
    // The last chunks are excluded, so that the process is still running when it is killed.
    const points = Array.from({ length: kills }, () => Math.floor(chance() * (rows / chunkRows - 3)))
    let peak = 0
    for (const point of points.sort((a, b) => a - b)) {
      const running = start()
      const isThere = acknowledged() >= point
      await vi.waitUntil(() => acknowledged() >= point, { timeout: 600_000, interval: 2 })
      // Somewhere in the check if the previous run got that far; otherwise somewhere in the next chunk.
      await pause(chance() * (isThere ? 5000 : 300))
      peak = Math.max(peak, peakMiB(running.pid))
      running.kill('SIGKILL')
      const { signal, exitCode, stderr } = await running
      // Only if it had not already ended.
      expect({ signal, exitCode, stderr }).toMatchObject({ signal: 'SIGKILL' })
    }
    const last = start()
    const watch = setInterval(() => (peak = Math.max(peak, peakMiB(last.pid))), 50)
    const { exitCode, stdout } = await last
    clearInterval(watch)
    const failed = expectedFailures().length
    const counts = new Map(
      String(stdout)
        .split('\n')
        .map((line) => line.split('\t') as [string, string]),
    )
    expect(Number(counts.get('created')) + Number(counts.get('unchanged'))).toBe(rows - failed)
    expect([counts.get('failed'), counts.get('submitted')]).toEqual([`${failed}`, `${rows}`])
    expect(exitCode).toBe(9)
    await expectExactlyTheFile()
    expect(peak).toBeLessThan(memoryMaxMiB)
  })

  function start() {
    return operator.start(['products', 'import', 'many.csv'])
  }

  /** Number of chunks in the database. */
  function acknowledged(): number {
    const db = new DatabaseSync(operator.database, { readOnly: true, timeout: 10_000 })
    const { count } = db.prepare('select count(*) as count from products').get() as { count: number }
    db.close()
    return Math.floor(count / chunkRows)
  }

  async function expectExactlyTheFile(): Promise<void> {
    const errors = operator.read('many.csv.errors.csv').trim().split('\n').slice(1)
    const errorRows = errors.map((line) =>
      Number(/,(\d+),(?:validation_error|state_conflict),/.exec(line)?.[1]),
    )
    expect(errorRows).toEqual(expectedFailures())
    const listing = operator.start(['products', 'ls', '--all', '--columns', 'sku', '--no-header'])
    const listed = String((await listing).stdout)
      .trimEnd()
      .split('\n')
    const failed = new Set(expectedFailures())
    const isGood = (no: number): boolean => !failed.has(no)
    const expected = Array.from({ length: rows }, (_, at) => at + 1).filter(isGood)
    // Newest first; a loop, because a test's tools take minutes to compare arrays of this size.
    expect(listed.length).toBe(expected.length)
    const wrong = expected.reverse().findIndex((no, at) => listed[at] !== skuOf(no))
    expect(wrong === -1 ? 'as in the file' : `${listed[wrong]} for ${skuOf(expected[wrong] ?? 0)}`).toBe(
      'as in the file',
    )
    const check = await operator.run(['db', 'check'])
    expect([check.exitCode, check.stderr]).toEqual([0, expect.any(String)])
  }
})

async function writeCatalog(file: string): Promise<void> {
  const size = ['length', 'width', 'height', 'dimension_unit', 'weight', 'weight_unit']
  const columns = ['name', 'sku', ...size]
  await pipeline(products(), stringify({ columns, header: true }), createWriteStream(file))
}

function* products(): Generator<string[]> {
  for (let no = 1; no <= rows; no++) {
    const weight = no % badEvery === 0 ? 'heavy' : '36.2'
    yield [`2023 Pokémon Collector "Mega" Box, no. ${no}`, skuOf(no), '7.7', '6.9', '3.6', 'in', weight, 'oz']
  }
}

function skuOf(no: number): string {
  return `PKM-${no % repeatedEvery === 0 ? no - 1 : no}`
}

function expectedFailures(): number[] {
  const numbers = Array.from({ length: rows }, (_, at) => at + 1)
  // Both rows of a repeated SKU fail.
  return numbers.filter(
    (no) => no % badEvery === 0 || no % repeatedEvery === 0 || (no + 1) % repeatedEvery === 0,
  )
}

/** Peak memory of a process so far; 0 if the system does not report it. */
function peakMiB(pid: number | undefined): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kib ?? 0) / 1024
  } catch {
    return 0
  }
}
