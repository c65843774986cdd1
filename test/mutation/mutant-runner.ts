// Runs each test first without a mutant, to see which ones it reaches, then once for each of these that nothing has noticed yet,
// in the same process with its hooks.
import { TestRunner } from 'vitest'
import { metBy, metInLoading, mutants, plan, say } from './switch.ts'

type Try = Parameters<TestRunner['onBeforeTryTask']>

const decided = new Set(plan.decided)
const tried = new Set(plan.tried)
const unfit = new Set(plan.unfit)

export class MutantRunner extends TestRunner {
  private rounds: Rounds | undefined

  override onCollectStart(...[file]: Parameters<TestRunner['onCollectStart']>): void {
    super.onCollectStart(file)
    // Reached now means reached while the file is loaded.
    delete mutants.currentTestId
  }

  override onBeforeTryTask(...[test, options]: Try): void {
    super.onBeforeTryTask(test, options)
    this.rounds?.begin()
  }

  override async onBeforeRunTask(
    ...[test]: Parameters<NonNullable<TestRunner['onBeforeRunTask']>>
  ): Promise<void> {
    await super.onBeforeRunTask(test)
    const rounds = new Rounds(`${test.file.name} > ${test.fullTestName}`)
    this.rounds = rounds
    // Read before each round, because the number is known only after the first.
    test.repeats = { valueOf: () => rounds.last } as unknown as number
  }

  override async onAfterRetryTask(
    ...[test, options]: Parameters<NonNullable<TestRunner['onAfterRetryTask']>>
  ): Promise<void> {
    await super.onAfterRetryTask(test, options)
    if (!test.result) return
    const [error] = test.result.errors ?? []
    this.rounds?.end(test.result.state === 'fail' ? (error?.message ?? 'failed') : undefined)
    test.result.state = 'pass'
    delete test.result.errors
  }

  override async onAfterRunSuite(...[suite]: Parameters<TestRunner['onAfterRunSuite']>): Promise<void> {
    await super.onAfterRunSuite(suite)
    if (!('filepath' in suite)) return
    say({ kind: 'loaded', ids: metInLoading() })
    say({ kind: 'ended', file: suite.file.name })
  }
}

/** One test: twice without a mutant, then with one after the other, and once more without after each that was noticed. */
class Rounds {
  /** The number of the last round, as far as is known. */
  last = 1
  private readonly test: string
  private round = 0
  private queue: string[] = []
  private current: string | undefined
  /** Whether the test has just passed without a mutant: if it fails now, the mutant is the cause. */
  private isSure = false
  private doubted: string | undefined

  constructor(test: string) {
    this.test = test
  }

  begin(): void {
    mutants.currentTestId = this.round === 0 ? this.test : 'another round'
    mutants.activeMutant = this.current
    mutants.hitCount = 0
    mutants.hitLimit = 100 * (metBy(this.test)[this.current ?? ''] ?? 1)
    if (this.current !== undefined) say({ kind: 'begun', id: this.current, test: this.test })
  }

  end(failure: string | undefined): void {
    mutants.activeMutant = undefined
    mutants.currentTestId = 'between tests'
    const isMore = this.current === undefined ? this.endLook(failure) : this.endMutant(this.current, failure)
    this.last = isMore ? this.round + 1 : this.round
    this.round += 1
  }

  private endLook(failure: string | undefined): boolean {
    if (failure !== undefined) {
      say({ kind: 'unfit', test: this.test, doubted: this.doubted, failure })
      return false
    }
    if (this.doubted !== undefined) this.noticed(this.doubted)
    this.doubted = undefined
    this.isSure = true
    if (this.round > 0) return this.next()
    const ids = Object.keys(metBy(this.test))
    say({ kind: 'met', ids })
    const open = ids.filter((id) => !(decided.has(id) || tried.has(`${id} ${this.test}`)))
    this.queue = [...open.filter((id) => id === plan.first), ...open.filter((id) => id !== plan.first)]
    return this.queue.length > 0 && !unfit.has(this.test)
  }

  private endMutant(id: string, failure: string | undefined): boolean {
    if (failure === undefined) {
      say({ kind: 'survived', id, test: this.test })
      this.isSure = false
      return this.next()
    }
    if (this.isSure) this.noticed(id)
    else this.doubted = id
    this.current = undefined
    return this.queue.length > 0 || !this.isSure
  }

  private noticed(id: string): void {
    decided.add(id)
    say({ kind: 'noticed', id, test: this.test })
  }

  private next(): boolean {
    this.current = this.queue.shift()
    return this.current !== undefined
  }
}
