import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import type { Findings, Spoiled } from './findings.ts'
import type { Judgement, Plan } from './plan.ts'
import { root } from './tools.ts'

/** A process that is silent for this many checks never ends. A clock would also count the machine's sleep. */
const mostLooks = 1_500
/** The same while a test runs with a mutant: a test or hook that does not end fails earlier (rounds.config.mjs). */
const mostLooksAtMutant = 300

/** Runs the tests in as many processes as needed: another one replaces a process that a mutant has broken, or that hangs. */
export async function judge(
  tests: readonly string[],
  sources: Record<string, string>,
  findings: Findings,
  isLoading = false,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'custody-rounds-'))
  const log = join(folder, 'log')
  const spoiled = new Set<string>()
  let left = [...tests]
  let first: string | undefined
  while (left.length > 0) {
    const plan = { log, tests: left, sources, first, isLoading, ...listsOf(findings) }
    const { ended, by } = await oneProcess(join(folder, 'plan'), plan, findings)
    first = by?.doubted
    // A second uncertain result stays open for this test.
    const pair = `${by?.doubted} ${by?.test}`
    if (spoiled.has(pair)) findings.tried.add(pair)
    spoiled.add(pair)
    if (ended.length === 0 && !by) throw new Error(`nothing ended of ${left.join(', ')}`)
    left = left.filter((test) => !ended.includes(test))
  }
  rmSync(folder, { recursive: true })
}

function listsOf({ noticed, tried, unfit }: Findings): Pick<Plan, 'decided' | 'tried' | 'unfit'> {
  return { decided: [...noticed], tried: [...tried], unfit: [...unfit] }
}

/** Returns the test files that finished, and what broke the process. */
async function oneProcess(
  place: string,
  plan: Plan,
  findings: Findings,
): Promise<{ ended: string[]; by: Spoiled | undefined }> {
  writeFileSync(place, JSON.stringify(plan))
  writeFileSync(plan.log, '')
  findings.begun = undefined
  const child = execa('vitest', ['run', '--config', 'test/mutation/rounds.config.mjs', '--reporter=dot'], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: { CUSTODY_MUTANTS: place },
    reject: false,
  })
  const group = child.pid as number
  const ended: string[] = []
  let read = 0
  let looks = 0
  let isFresh = true
  while (ended.length < plan.tests.length) {
    const isOver = child.nodeChildProcess.exitCode !== null
    const lines = readFileSync(plan.log, 'utf8').split('\n').slice(read, -1)
    read += lines.length
    looks = lines.length > 0 ? 0 : looks + 1
    for (const line of lines) {
      const judgement = JSON.parse(line) as Judgement
      if (judgement.kind === 'ended') ended.push(judgement.file)
      const by = findings.take(judgement, isFresh)
      isFresh &&= judgement.kind !== 'begun'
      if (by) return leave(group, { ended, by })
    }
    if (isOver && lines.length === 0) break
    // If files are loaded again, a result is for a whole file.
    const isAtMutant = findings.begun !== undefined && !plan.isLoading
    if (looks > (isAtMutant ? mostLooksAtMutant : mostLooks))
      return leave(group, { ended, by: hung(findings) })
    await wait(100)
  }
  return leave(group, { ended, by: undefined })
}

/** A mutant that keeps a test from ending is noticed. */
function hung(findings: Findings): Spoiled | undefined {
  const { begun } = findings
  if (begun) findings.noticed.add(begun.id)
  return begun && { test: begun.test, doubted: undefined }
}

function leave<T>(group: number, answer: T): T {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It has already ended.
  }
  return answer
}
