import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import type { TestProject } from 'vitest/node'
import { scratch } from './scratch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The folder of what is made once and used by many tests: the programs that they start as processes, NAME.mjs of
     * test/support/NAME.ts, and the databases that they copy (operator.ts).
     */
    made: string
  }
}

/** Each made into one file, which starts in a quarter of the time that Node.js needs for the sources. */
const names = ['fleet-worker', 'webhook-process', 'sqlite-process']

let folder: string | undefined

export async function setup(project: TestProject): Promise<void> {
  folder = mkdtempSync(join(scratch, 'custody-made-'))
  project.provide('made', folder)
  await build({
    entryPoints: names.map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // For the packages that are CommonJS.
    banner: {
      js: "import { createRequire as from } from 'node:module'; const require = from(import.meta.url);",
    },
    external: ['pg-native'],
    loader: { '.csv': 'text' },
    define: { CUSTODY_VERSION: '"test"' },
    plugins: [sourceFolders],
  })
}

export async function teardown(): Promise<void> {
  if (folder) rmSync(folder, { recursive: true, force: true })
}

/** A module finds what lies beside its source. */
const sourceFolders: Plugin = {
  name: 'source-folders',
  setup({ onLoad }) {
    onLoad({ filter: /\/(src|test)\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      loader: 'ts',
    }))
  },
}
