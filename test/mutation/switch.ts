import { openSync, readFileSync, writeSync } from 'node:fs'
import type { Judgement, Plan } from './plan.ts'

type Hits = Record<string, number>

/** The variable that the mutants read, with StrykerJS's name. */
type Switch = {
  activeMutant?: string | undefined
  currentTestId?: string
  hitCount?: number
  hitLimit?: number | undefined
  mutantCoverage?: { static: Hits; perTest: Record<string, Hits> } | undefined
}

const shared = globalThis as { __stryker__?: Switch }
shared.__stryker__ ??= {}
export const mutants = shared.__stryker__

export const plan = JSON.parse(readFileSync(process.env.CUSTODY_MUTANTS as string, 'utf8')) as Plan
const log = openSync(plan.log, 'a')

/** Written line by line, so that a mutant that never ends costs only itself. */
export function say(judgement: Judgement): void {
  writeSync(log, `${JSON.stringify(judgement)}\n`)
}

/** The mutants that are reached while files are loaded. */
export function metInLoading(): string[] {
  return Object.keys(mutants.mutantCoverage?.static ?? {})
}

/** The mutants that a test reaches, and how often. */
export function metBy(test: string): Hits {
  return mutants.mutantCoverage?.perTest[test] ?? {}
}
