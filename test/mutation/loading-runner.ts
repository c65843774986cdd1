// Loads each test file, with everything it imports, once without a mutant and then once for each open mutant that it reaches:
// what is created while a file is loaded, or by the first test, is created again.
import { TestRunner, vi } from 'vitest'
import { startTests } from 'vitest/internal/browser'
import { metBy, metInLoading, mutants, plan, say } from './switch.ts'

const decided = new Set(plan.decided)
const tried = new Set(plan.tried)
// A mutant reached more often never ends.
mutants.hitLimit = 10_000_000

export class LoadingRunner extends TestRunner {
  /** vitest's own run is not needed, and one failed test is enough. */
  private skipsTheRest = true
  private isAtWork = false

  override onCollectStart(...[file]: Parameters<TestRunner['onCollectStart']>): void {
    super.onCollectStart(file)
    // Reached now means reached while the file is loaded.
    delete mutants.currentTestId
  }

  override async onBeforeRunTask(
    ...[test]: Parameters<NonNullable<TestRunner['onBeforeRunTask']>>
  ): Promise<void> {
    if (this.skipsTheRest) test.mode = 'skip'
    mutants.currentTestId = 'a test'
    await super.onBeforeRunTask(test)
  }

  override async onAfterRetryTask(
    ...[test, options]: Parameters<NonNullable<TestRunner['onAfterRetryTask']>>
  ): Promise<void> {
    await super.onAfterRetryTask(test, options)
    this.skipsTheRest ||= test.result?.state === 'fail'
  }

  override async onAfterRunFiles(...[files]: Parameters<TestRunner['onAfterRunFiles']>): Promise<void> {
    super.onAfterRunFiles(files)
    if (this.isAtWork) return
    this.isAtWork = true
    for (const { filepath, name } of files) await this.judge(filepath, name)
    this.isAtWork = false
    this.skipsTheRest = true
  }

  private async judge(path: string, test: string): Promise<void> {
    mutants.mutantCoverage = undefined
    const isFit = (await this.passes(path)) && (await this.judgeEach(path, test))
    say({ kind: 'ended', file: test })
    if (!isFit) say({ kind: 'unfit', test, doubted: undefined, failure: 'loaded again, it fails' })
  }

  /** Returns whether the tests still pass without a mutant; only then do the noticed ones count. */
  private async judgeEach(path: string, test: string): Promise<boolean> {
    const loaded = metInLoading()
    say({ kind: 'loaded', ids: loaded })
    const noticed: string[] = []
    for (const id of new Set([...loaded, ...Object.keys(metBy('a test'))])) {
      if (decided.has(id) || tried.has(`${id} ${test}`)) continue
      say({ kind: 'begun', id, test })
      if (await this.passes(path, id)) say({ kind: 'survived', id, test })
      else noticed.push(id)
    }
    if (noticed.length > 0 && !(await this.passes(path))) return false
    for (const id of noticed) {
      decided.add(id)
      say({ kind: 'noticed', id, test })
    }
    return true
  }

  private async passes(path: string, id?: string): Promise<boolean> {
    vi.resetModules()
    this.skipsTheRest = false
    mutants.activeMutant = id
    mutants.hitCount = 0
    const [file] = await startTests([path], this)
    mutants.activeMutant = undefined
    return file?.result?.state === 'pass'
  }
}
