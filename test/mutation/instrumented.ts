import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { tools } from './tools.ts'

type Position = { line: number; column: number }

/** A change of one expression; lines and columns begin with 0. */
export type Mutant = {
  id: string
  fileName: string
  mutatorName: string
  replacement: string
  location: { start: Position; end: Position }
}

type File = { name: string; content: string }

/** The mutants of files as StrykerJS makes them, and the text of each file with all its mutants, each behind a switch. */
export async function instrumented(names: readonly string[]): Promise<{ mutants: Mutant[]; files: File[] }> {
  const place = createRequire(join(tools, 'package.json')).resolve('@stryker-mutator/instrumenter')
  const { Instrumenter } = await import(pathToFileURL(place).href)
  const say = () => {}
  const log = { isDebugEnabled: () => false, debug: say, info: say, warn: say }
  return new Instrumenter(log).instrument(
    names.map((name) => ({ name, mutate: true, content: readFileSync(name, 'utf8') })),
    { plugins: null, excludedMutations: [], ignorers: [], noHeader: false },
  )
}
