import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'rolldown'
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
    input: names.map((name) => join(import.meta.dirname, `${name}.ts`)),
    platform: 'node',
    external: ['pg-native'],
    moduleTypes: { '.csv': 'text' },
    transform: { target: 'node24', define: { CUSTODY_VERSION: '"test"' } },
    plugins: [sourceFolders],
    output: { dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs', format: 'esm' },
  })
}

export async function teardown(): Promise<void> {
  if (folder) rmSync(folder, { recursive: true, force: true })
}

/** A module finds what lies beside its source. */
const sourceFolders: Plugin = {
  name: 'source-folders',
  load: {
    filter: { id: /\/(src|test)\/.*\.ts$/ },
    handler: (id) => readFileSync(id, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
  },
}
