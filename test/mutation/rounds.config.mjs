import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { scratch } from '../support/scratch.ts'

const plan = JSON.parse(readFileSync(process.env.CUSTODY_MUTANTS, 'utf8'))

class AsListed {
  shard = (files) => files
  sort = (files) => [...files].sort((one, other) => placeOf(one) - placeOf(other))
}

// The tests that judge mutants: those of the rules, or those of the engine over SQLite, all in one process.
export default defineConfig({
  define: { CUSTODY_VERSION: '"mutated"' },
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id) => plan.sources[id],
      transform: (code, id) => (id.endsWith('.csv') ? `export default ${JSON.stringify(code)}` : undefined),
    },
  ],
  test: {
    runner: join(import.meta.dirname, 'runner.config.mjs'),
    include: plan.tests,
    pool: 'forks',
    env: { TMPDIR: scratch },
    isolate: false,
    fileParallelism: false,
    // It reads a file's text from the disk.
    fsModuleCache: false,
    sequence: { sequencer: AsListed },
    // A test that does not end, or its hook, fails before the process counts as hung (rounds.ts).
    testTimeout: 10_000,
    hookTimeout: 10_000,
    testNamePattern: /^(?!.*PostgreSQL)/,
    setupFiles: ['test/support/each-file.ts'],
    globalSetup: ['test/support/made-setup.ts'],
  },
})

function placeOf({ moduleId }) {
  return plan.tests.findIndex((name) => moduleId.endsWith(name))
}
