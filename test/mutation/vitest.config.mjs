import { defineConfig } from 'vitest/config'

// The tests that judge mutants: those of the rules alone, or those of the engine over SQLite. Each file has a process of its
// own, so that a constant that was changed is read anew.
const isEngine = process.env.CUSTODY_MUTATED === 'engine'

export default defineConfig({
  define: { CUSTODY_VERSION: '"mutated"' },
  plugins: [
    {
      name: 'csv-as-text',
      transform: (code, id) => (id.endsWith('.csv') ? `export default ${JSON.stringify(code)}` : undefined),
    },
  ],
  test: {
    include: [isEngine ? 'test/engine/**/*.test.ts' : 'test/domain/**/*.test.ts'],
    testTimeout: 30_000,
    ...(isEngine && { testNamePattern: /^(?!.*PostgreSQL)/, setupFiles: ['test/support/each-file.ts'] }),
  },
})
