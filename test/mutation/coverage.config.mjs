import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import whole from '../../vitest.config.ts'
import { tools } from './tools.ts'

// A provider given by its path, because `npm ci` does not install the coverage tool.
const provider = join(tools, 'node_modules', '@vitest', 'coverage-v8', 'dist', 'index.js')

export default mergeConfig(
  whole,
  defineConfig({
    test: {
      exclude: ['test/{acceptance,races,browser,cli,client,contract,simulation,source}/**'],
      // Measured on a machine that does other things as well.
      testTimeout: 600_000,
      coverage: {
        enabled: true,
        provider: 'custom',
        customProviderModule: provider,
        include: ['src/{domain,engine}/**/*.ts'],
        reportOnFailure: true,
        reporter: [['text', { skipFull: true }], 'json'],
        reportsDirectory: join(tools, 'coverage'),
        thresholds: { branches: 100 },
      },
    },
  }),
)
