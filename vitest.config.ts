import { defineConfig } from 'vitest/config'
import packageJson from './package.json' with { type: 'json' }
import { LongestFirst } from './test/support/longest-first.ts'
import { scratch } from './test/support/scratch.ts'

/** The folders of the projects whose tests need PostgreSQL. */
const folders = {
  service: ['store', 'engine', 'service', 'client', 'testing', 'cli', 'conformance'],
  races: ['races'],
  acceptance: ['acceptance'],
}

export default defineConfig({
  // What the bundler does for the build (scripts/build.mjs), so that tests see the same values.
  define: { CUSTODY_VERSION: JSON.stringify(packageJson.version) },
  plugins: [{ name: 'csv-as-text', transform: csvAsText }],
  test: {
    // One more than cores: tests of the real program, a third of all the time, wait for processes half of theirs.
    maxWorkers: 3,
    // A process for each file would start, and load the program, for a quarter of all the time.
    isolate: false,
    execArgv: [`--import=${import.meta.resolve('./test/support/mended-packages.ts')}`],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          setupFiles: ['test/support/each-file.ts'],
          include: ['test/{contract,domain,source}/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      // As one, these need three processes instead of nine, each of which loads, compiles, and migrates the same again.
      ...(process.env.CUSTODY_TEST_TOGETHER
        ? [serverProject('together', Object.values(folders).flat())]
        : Object.entries(folders).map(([name, own]) => serverProject(name, own))),
      // Only where a browser is named, as `npm run test:browser` does: none belongs to this project.
      ...(process.env.CUSTODY_TEST_BROWSER ? [browserProject()] : []),
    ],
  },
})

function serverProject(name: string, own: string[]) {
  return {
    extends: true as const,
    test: {
      name,
      include: own.map((folder) => `test/${folder}/**/*.test.ts`),
      // With --mode soak, as `npm run test:soak` has it, the same campaigns are long.
      testTimeout: name === 'races' ? 3_600_000 : 120_000,
      hookTimeout: 120_000,
      env: { TMPDIR: scratch },
      setupFiles: ['test/support/each-file.ts'],
      globalSetup: ['test/support/postgres-setup.ts', 'test/support/made-setup.ts'],
    },
  }
}

function browserProject() {
  return {
    extends: true as const,
    test: { name: 'browser', include: ['test/browser/**/*.test.ts'], testTimeout: 120_000 },
  }
}

function csvAsText(code: string, id: string): string | undefined {
  return id.endsWith('.csv') ? `export default ${JSON.stringify(code)}` : undefined
}
