// npm run test:mutation -- src/domain/csv [test/domain/csv-file.test.ts ...]: changes each expression of the files or folders
// that are named, one change at a time, and runs the tests that come by it, or those of them that are named. What no test notices is
// listed; docs/proof.md says what was found, and why some may stay. Of the engine's tests those over SQLite are run.
// The tests run in one process, where what is made while a file is loaded, or by the first test that needs it, is made once: with
// --loading each test file is then loaded anew, with all it imports, for each mutant that is still open.
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
