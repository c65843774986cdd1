// npm run test:mutation -- src/domain/csv [test/domain/csv-file.test.ts ...]: changes each expression of the named files or
// folders, one change at a time, and runs the tests that reach it, or the named ones among them. Lists what no test notices;
// docs/proof.md says what was found, and why some may stay. Tests of the engine run over SQLite. All tests run in one process,
// in which things are created once while a file is loaded, or by the first test that needs them; with --loading each test file
// is loaded again, with everything it imports, for each mutant that is still open.
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Findings } from './findings.ts'
import { instrumented } from './instrumented.ts'
import { judge } from './rounds.ts'
import { installTools, root } from './tools.ts'

await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<void> {
  installTools()
  const files = words.filter((word) => word.startsWith('src/')).flatMap(filesIn)
  const { mutants, files: made } = await instrumented(files.map((file) => join(root, file)))
  const floor = words.some((word) => word.startsWith('src/engine')) ? 'engine' : 'domain'
  const named = words.filter((word) => word.startsWith('test/'))
  const tests = named.length > 0 ? named : globSync(`test/${floor}/**/*.test.ts`, { cwd: root }).sort()
  const sources = Object.fromEntries(made.map(({ name, content }) => [name, content]))
  const findings = new Findings()
  await judge(tests, sources, findings)
  if (words.includes('--loading')) await judge(tests, sources, findings, true)
  process.stdout.write(`${findings.report(mutants, root)}\n`)
}

function filesIn(place: string): string[] {
  if (!statSync(join(root, place)).isDirectory()) return [place]
  return globSync(`${place}/**/*.ts`, { cwd: root }).sort()
}
