// npm run test:mutation -- src/domain/csv: changes each line of the files or folders that are named, one change at a time, and
// runs the tests that come by it. What no test notices is listed; docs/proof.md says what was found, and why some may stay.
// Stryker works on a copy of the tree. Of the engine's tests those over SQLite are run. With --every-test each mutant is judged by
// all tests, and not by those alone that come by it first: so what is made once is judged too.
import { copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyOfTree } from '../support/copy-of-tree.ts'
import { installTools, run, tools } from './tools.ts'

const root = join(import.meta.dirname, '..', '..')

main(process.argv.slice(2))

function main(words: readonly string[]): void {
  const places = words.filter((word) => word !== '--every-test')
  installTools()
  const copy = copyOfTree()
  try {
    copyFileSync(join(import.meta.dirname, 'vitest.config.mjs'), join(copy, 'vitest.mutation.config.mjs'))
    writeFileSync(
      join(copy, 'stryker.config.json'),
      JSON.stringify(optionsFor(places, words.length > places.length)),
    )
    const stryker = join(tools, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js')
    const floor = places.some((place) => place.startsWith('src/engine')) ? 'engine' : 'domain'
    run(copy, { CUSTODY_MUTATED: floor }, 'node', stryker, 'run')
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function optionsFor(places: readonly string[], isEveryTest: boolean): object {
  return {
    mutate: places.map((place) => (statSync(join(root, place)).isDirectory() ? `${place}/**/*.ts` : place)),
    plugins: [join(tools, 'node_modules', '@stryker-mutator', 'vitest-runner', 'dist', 'src', 'index.js')],
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.mutation.config.mjs' },
    coverageAnalysis: isEveryTest ? 'off' : 'perTest',
    inPlace: true,
    concurrency: 1,
    reporters: ['clear-text', 'json'],
    clearTextReporter: { reportTests: false, allowColor: false },
    jsonReporter: { fileName: join(tools, 'report.json') },
    tempDirName: join(tools, 'temporary'),
  }
}
