// npm run simulate:history -- --seed N --days D: runs a story, writes the requests for each order, transfer, and manifest as
// JSON lines (when they were sent and answered, and the answer), and judges whether each object behaved as if requests came one
// after the other (linearizable.ts). --out FILE: where to (default: history-N.jsonl in the temporary folder).
import { closeSync, openSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isLinearizable } from './linearizable.ts'
import { objectHistories, statusRules } from './object-histories.ts'
import { run } from './run.ts'
import { storyOf } from './story.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    days: { type: 'string', default: '5' },
    out: { type: 'string' },
  },
})
const { seed, days, out = join(tmpdir(), `history-${seed}.jsonl`) } = values
const { histories } = await run(storyOf(seed, Number(days)))
const file = openSync(out, 'w')
const sums = { objects: 0, operations: 0, violations: 0 }
for (const { object, kind, operations } of histories.flatMap(objectHistories)) {
  for (const one of operations) writeSync(file, `${JSON.stringify({ object, kind, ...one })}\n`)
  sums.objects += 1
  sums.operations += operations.length
  if (isLinearizable(operations, statusRules(kind))) continue
  sums.violations += 1
  process.stdout.write(`not linearizable: ${kind} ${object}\n`)
}
closeSync(file)
process.stdout.write(`${JSON.stringify({ seed, days: Number(days), file: out, ...sums })}\n`)
process.exitCode = sums.violations > 0 ? 1 : 0
