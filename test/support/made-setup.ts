import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'rolldown'
import type { TestProject } from 'vitest/node'
import { scratch } from './scratch.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The folder of things created once and used by many tests: the programs that they start as processes, NAME.mjs from
     * test/support/NAME.ts, and the databases that they copy (operator.ts).
     */
    made: string
  }
}

/** Each bundled into one file, which starts four times faster than the sources. */
const names = ['fleet-worker', 'webhook-process', 'sqlite-process']

/** Vitest loads this file again for each project, but all of them share the folder. */
const run = globalThis as typeof globalThis & { custodyMade?: { folder: Promise<string>; users: number } }

export async function setup(project: TestProject): Promise<void> {
  run.custodyMade ??= { folder: makeAll(), users: 0 }
  run.custodyMade.users += 1
  project.provide('made', await run.custodyMade.folder)
}

export async function teardown(): Promise<void> {
  const shared = run.custodyMade
  if (!shared) return
  shared.users -= 1
  if (shared.users > 0) return
  delete run.custodyMade
  rmSync(await shared.folder, { recursive: true, force: true })
}

async function makeAll(): Promise<string> {
  const folder = mkdtempSync(join(scratch, 'custody-made-'))
  await build({
    input: names.map((name) => join(import.meta.dirname, `${name}.ts`)),
    platform: 'node',
    external: ['pg-native'],
    moduleTypes: { '.csv': 'text' },
    transform: { target: 'node24', define: { CUSTODY_VERSION: '"test"' } },
    plugins: [sourceFolders],
    output: { dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs', format: 'esm' },
  })
  return folder
}

/** A module finds files next to its source. */
const sourceFolders: Plugin = {
  name: 'source-folders',
  load: {
    filter: { id: /\/(src|test)\/.*\.ts$/ },
    handler: (id) => readFileSync(id, 'utf8').replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
  },
}
