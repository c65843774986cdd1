import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqlite } from '../src/store/sqlite.ts'
import { fillWithItems } from './support/item-database.ts'
import { median, ms, report } from './support/measure.ts'
import { builtProgram, isolatedEnvironment, timeProcess } from './support/whole-process.ts'

/**
 * Whole processes, from start to end, against a Node.js that does nothing: `custody --version` at most 1.4 times as long,
 * `custody items ls` over 10,000 items at most 1.8 times.
 */
const items = 10_000
const pairs = 40
const limits: ReadonlyArray<[string[], number]> = [
  [['--version'], 1.4],
  [['items', 'ls'], 1.8],
]

const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
try {
  const program = builtProgram()
  if (program === undefined) throw new Error('Nothing is built; run: npm run build')
  const database = join(folder, 'custody.db')
  const db = openSqlite(database)
  await fillWithItems(db, items, 'Sandbox')
  await db.close()
  const env = isolatedEnvironment(folder, database)
  for (const [command, limit] of limits) compare(program, command, limit, env)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** In pairs, because what else the machine does at the time meets both alike; the first warms the file cache. */
function compare(program: string, command: string[], limit: number, env: Record<string, string>): void {
  const times: Array<[number, number]> = []
  for (let pair = 0; pair <= pairs; pair++) {
    const bare = timeProcess(process.execPath, ['-e', '0'], { env })
    const custody = timeProcess(process.execPath, [program, ...command], { env })
    if (pair > 0) times.push([custody, bare])
  }
  const ratio = median(times.map(([custody, bare]) => custody / bare))
  const [custody, bare] = [median(times.map((pair) => pair[0])), median(times.map((pair) => pair[1]))]
  report(
    `custody ${command.join(' ')}`,
    `${ratio.toFixed(2)}x (${ms(custody)} : ${ms(bare)})`,
    ratio,
    limit,
    'x',
  )
}
