import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, ms, note, report } from './support/measure.ts'
import {
  exportProducts,
  hasSqliteShell,
  makeProductTable,
  timeBareLoop,
  timeShellImport,
} from './support/plain-import.ts'
import { writeCatalog } from './support/product-data.ts'
import { builtProgram, isolatedEnvironment, peakMemory, timeProcess } from './support/whole-process.ts'

/**
 * `custody products import` of 100,000 rows as a whole process, against the sqlite3 shell's .import of the same rows into the
 * same table with the same indexes and settings: at most five times as long. Peak memory at 100,000 and at 1,000,000 rows, also
 * of a file that is converted first: under 250 MiB.
 */
const rows = 100_000
const manyRows = 1_000_000
const slowdownMax = 5
const memoryMaxMiB = 250
const pairs = 5

const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
const program = builtProgram()
const memory = peakMemory(folder)
try {
  await compare()
  await manyAtOnce()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function compare(): Promise<void> {
  const catalog = join(folder, 'catalog.csv')
  await writeCatalog(catalog, rows)
  importInto('first', catalog)
  const peak = memory.read()
  const plainRows = join(folder, 'rows.csv')
  await exportProducts(databaseOf('first'), plainRows)
  const hasShell = hasSqliteShell()
  if (!hasShell)
    note('NOT the sqlite3 shell', 'it is not installed here: compared with a bare node:sqlite loop')
  const times: Array<[number, number]> = []
  for (let pair = 0; pair < pairs; pair++) {
    const plain = join(folder, `plain-${pair}.db`)
    makeProductTable(databaseOf('first'), plain)
    const ours = importInto(`pair-${pair}`, catalog)
    const theirs = hasShell ? timeShellImport(plain, plainRows) : timeBareLoop(databaseOf('first'), plain)
    times.push([ours, theirs])
  }
  const ratio = median(times.map(([ours, theirs]) => ours / theirs))
  const [ours, theirs] = [median(times.map((pair) => pair[0])), median(times.map((pair) => pair[1]))]
  report(
    'import of 100,000 rows',
    `${ratio.toFixed(2)}x (${ms(ours)} : ${ms(theirs)})`,
    ratio,
    slowdownMax,
    'x',
  )
  report('memory at 100,000 rows', `${peak.toFixed(0)} MiB`, peak, memoryMaxMiB, ' MiB')
}

async function manyAtOnce(): Promise<void> {
  const catalog = join(folder, 'many.csv')
  await writeCatalog(catalog, manyRows)
  for (const [name, ...flags] of [['many'], ['converted', '--ignore-columns', 'image_url']] as const) {
    const time = importInto(name, catalog, flags)
    const peak = memory.read()
    note(`import of 1,000,000 rows (${name})`, `${(time / 1000).toFixed(1)} s, no limit`)
    report(`memory at 1,000,000 rows (${name})`, `${peak.toFixed(0)} MiB`, peak, memoryMaxMiB, ' MiB')
  }
}

/** Imports into a new database of this name; returns the milliseconds of the whole process. */
function importInto(name: string, catalog: string, flags: readonly string[] = []): number {
  const home = join(folder, name)
  const env = { ...isolatedEnvironment(home, databaseOf(name)), ...memory.env }
  // Creates the database first, so that only the import is measured.
  timeProcess(process.execPath, [program, 'sandbox', 'reset', '--no-seed', '--yes'], { env })
  return timeProcess(process.execPath, [program, 'products', 'import', catalog, ...flags], { env })
}

function databaseOf(name: string): string {
  return join(folder, `${name}.db`)
}
