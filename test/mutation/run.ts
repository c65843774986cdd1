// npm run test:mutation -- src/domain/csv [test/domain/csv-file.test.ts ...]: changes each expression of the files or folders
// that are named, one change at a time, and runs the tests that come by it, or those of them that are named. What no test notices is
// listed; docs/proof.md says what was found, and why some may stay. Of the engine's tests those over SQLite are run.
// The tests run in one process, where what is made while a file is loaded cannot be changed: with --loading StrykerJS itself
// judges what this leaves open, on a copy of the tree, with a process for each.
import { copyFileSync, globSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { copyOfTree } from '../support/copy-of-tree.ts'
import { instrumented, type Mutant } from './instrumented.ts'
import { judge } from './rounds.ts'
import { installTools, root, run, tools } from './tools.ts'

await main(process.argv.slice(2))

async function main(words: readonly string[]): Promise<void> {
  installTools()
  const files = words.filter((word) => word.startsWith('src/')).flatMap(filesIn)
  const { mutants, files: made } = await instrumented(files.map((file) => join(root, file)))
  const floor = words.some((word) => word.startsWith('src/engine')) ? 'engine' : 'domain'
  const named = words.filter((word) => word.startsWith('test/'))
  const tests = named.length > 0 ? named : globSync(`test/${floor}/**/*.test.ts`, { cwd: root }).sort()
  const findings = await judge(tests, Object.fromEntries(made.map(({ name, content }) => [name, content])))
  process.stdout.write(`${findings.report(mutants, root)}\n`)
  if (words.includes('--loading'))
    byStryker(
      mutants.filter((mutant) => findings.isMadeOnce(mutant)),
      floor,
    )
}

function filesIn(place: string): string[] {
  if (!statSync(join(root, place)).isDirectory()) return [place]
  return globSync(`${place}/**/*.ts`, { cwd: root }).sort()
}

function byStryker(mutants: readonly Mutant[], floor: string): void {
  const copy = copyOfTree()
  try {
    copyFileSync(join(import.meta.dirname, 'vitest.config.mjs'), join(copy, 'vitest.mutation.config.mjs'))
    writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(optionsFor(mutants)))
    const stryker = join(tools, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')
    run(copy, { CUSTODY_MUTATED: floor }, 'node', stryker, 'run')
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function optionsFor(mutants: readonly Mutant[]): object {
  return {
    mutate: [...new Set(mutants.map(rangeOf))],
    plugins: [join(tools, 'node_modules', '@stryker-mutator', 'vitest-runner', 'dist', 'src', 'index.js')],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.mjs' },
    coverageAnalysis: 'perTest',
    inPlace: true,
    concurrency: 1,
    reporters: ['clear-text'],
    clearTextReporter: { reportTests: false, allowColor: false },
    tempDirName: join(tools, `temporary-${process.pid}`),
  }
}

function rangeOf({ fileName, location: { start, end } }: Mutant): string {
  return `${relative(root, fileName)}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`
}
