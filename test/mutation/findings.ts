import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Mutant } from './instrumented.ts'
import type { Judgement } from './plan.ts'

/** A test that only a mutant can have broken, and perhaps that mutant. */
export type Spoiled = { test: string; doubted: string | undefined }

/** What is known about the mutants so far. */
export class Findings {
  readonly noticed = new Set<string>()
  readonly tried = new Set<string>()
  readonly unfit = new Set<string>()
  private readonly met = new Set<string>()
  private readonly loaded = new Set<string>()
  /** The mutant that a test runs with. */
  begun: { id: string; test: string } | undefined

  /** Returns what a mutant has broken: the process must end. */
  take(judgement: Judgement, isFresh: boolean): Spoiled | undefined {
    switch (judgement.kind) {
      case 'met':
        for (const id of judgement.ids) this.met.add(id)
        return undefined
      case 'loaded':
        for (const id of judgement.ids) this.loaded.add(id)
        return undefined
      case 'begun':
        this.begun = judgement
        return undefined
      case 'noticed':
        this.noticed.add(judgement.id)
        this.begun = undefined
        return undefined
      case 'survived':
        this.tried.add(`${judgement.id} ${judgement.test}`)
        this.met.add(judgement.id)
        this.begun = undefined
        return undefined
      case 'unfit':
        if (isFresh) this.unfit.add(judgement.test)
        return isFresh ? undefined : judgement
      case 'ended':
        return undefined
    }
  }

  /** The number of mutants in each file, and the survivors with their places. */
  report(mutants: readonly Mutant[], root: string): string {
    const files = Map.groupBy(mutants, ({ fileName }) => relative(root, fileName))
    const rows = [...files, ['all', mutants] as const].map(([name, own]) => {
      const of = (kind: string) => own.filter((mutant) => this.kindOf(mutant) === kind).length
      const score = ((100 * of('noticed')) / own.length).toFixed(1)
      return `${name}: ${own.length} mutants, ${of('noticed')} noticed (${score} %), ${of('survived')} survived, ${of('loading')} met in loading alone, ${of('no test')} by no test`
    })
    const rest = mutants
      .filter((mutant) => !this.noticed.has(mutant.id))
      .map((mutant) => this.line(mutant, root))
    const unfit = [...this.unfit].map((test) => `not repeatable, so without a say: ${test}`)
    return [...rest, ...unfit, ...rows].join('\n')
  }

  private kindOf({ id }: Mutant): string {
    if (this.noticed.has(id)) return 'noticed'
    if (this.met.has(id)) return 'survived'
    return this.loaded.has(id) ? 'loading' : 'no test'
  }

  private line(mutant: Mutant, root: string): string {
    const { start, end } = mutant.location
    const text = readFileSync(mutant.fileName, 'utf8').split('\n')[start.line] ?? ''
    const was = text.slice(start.column, start.line === end.line ? end.column : undefined)
    const place = `${relative(root, mutant.fileName)}:${start.line + 1}:${start.column + 1}`
    return `${this.kindOf(mutant)}: ${place} ${mutant.mutatorName}\n    ${was} -> ${mutant.replacement.replaceAll(/\s+/g, ' ')}`
  }
}
