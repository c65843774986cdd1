import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import whole from '../../vitest.config.ts'
import { tools } from './tools.ts'

// A provider by its path: what measures is not among what `npm ci` installs.
const provider = join(tools, 'node_modules', '@vitest', 'coverage-v8', 'dist', 'index.js')

export default mergeConfig(
  whole,
  defineConfig({
    test: {
      exclude: ['test/{acceptance,races,browser,cli,client,source}/**'],
      coverage: {
        enabled: true,
        provider: 'custom',
        customProviderModule: provider,
        include: ['src/{domain,engine}/**/*.ts'],
        reporter: [['text', { skipFull: true }], 'json'],
        reportsDirectory: join(tools, 'coverage'),
        thresholds: { branches: 100 },
      },
    },
  }),
)
