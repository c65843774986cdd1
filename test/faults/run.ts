// npm run test:faults: plants the faults one by one in a copy of the tree and runs the tests that should find each; if those
// pass, the whole suite. Arguments: words of the names or files of the wanted faults; --seed N and --take N for a random choice;
// --named to run only the named tests; --simulated to use only the simulation, within --minutes (5).
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { execa } from 'execa'
import { seededRandom } from '../../src/testing/seeded-random.ts'
import { copyOfTree } from '../support/copy-of-tree.ts'
import { type Fault, faults, planted } from './fault.ts'

const root = join(import.meta.dirname, '..', '..')
const bin = join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1' }
/** These tests start the built program. */
const needsBuild = /^test\/(acceptance|races)/

type Found = { by: string; seconds: number }

process.exitCode = await main()

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      take: { type: 'string' },
      named: { type: 'boolean' },
      simulated: { type: 'boolean' },
      minutes: { type: 'string', default: '5' },
    },
  })
  const named = chosen(positionals, values.seed, values.take)
  const wanted = values.simulated ? named.filter(({ isSimulated }) => isSimulated) : named
  const copy = copyOfTree()
  try {
    if (!values.simulated && !(await isSound(copy, wanted))) return 1
    const times: number[] = []
    for (const fault of wanted) {
      const found = await within(copy, fault, () =>
        values.simulated ? simulate(copy, values.minutes) : search(copy, fault, values.named === true),
      )
      if (found) times.push(found.seconds)
      const how = found ? `found in ${found.seconds.toFixed(1)} s by ${found.by}` : 'MISSED'
      say(`${fault.name} (${fault.file}${fault.undoes ? `, undoes ${fault.undoes}` : ''}): ${how}`)
    }
    const median = times.sort((a, b) => a - b)[Math.floor((times.length - 1) / 2)] ?? 0
    say(`${times.length} of ${wanted.length} found, the median within ${median.toFixed(1)} s`)
    return times.length === wanted.length ? 0 : 1
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function chosen(words: readonly string[], seed: string | undefined, take: string | undefined): Fault[] {
  const named = faults.filter(
    ({ name, file }) => words.length === 0 || words.some((word) => `${name} ${file}`.includes(word)),
  )
  if (take === undefined) return named
  const random = seededRandom(Number(seed ?? 1))
  const ranked = named.map((fault) => ({ fault, rank: Buffer.from(random(4)).readUInt32LE() }))
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .map(({ fault }) => fault)
    .slice(0, Number(take))
}

/** Without a fault the tests pass, at the latest on the second attempt, so a later failure is a finding. */
async function isSound(copy: string, wanted: readonly Fault[]): Promise<boolean> {
  const tests = [...new Set(wanted.flatMap((fault) => fault.tests))]
  const failed = (await failureOf(copy, tests)) && (await failureOf(copy, tests))
  if (failed !== undefined) say(`Nothing was planted yet, and this fails: ${failed}`)
  return failed === undefined
}

/** With the fault in the copy: what found it, and after how long. */
async function within(
  copy: string,
  fault: Fault,
  find: () => Promise<string | undefined>,
): Promise<Found | undefined> {
  const path = join(copy, fault.file)
  const sound = readFileSync(path, 'utf8')
  const started = performance.now()
  writeFileSync(path, planted(fault, sound))
  try {
    const by = await find()
    return by === undefined ? undefined : { by, seconds: (performance.now() - started) / 1000 }
  } finally {
    writeFileSync(path, sound)
  }
}

async function search(copy: string, fault: Fault, isNamedOnly: boolean): Promise<string | undefined> {
  const failed = await failureOf(copy, fault.tests)
  if (failed !== undefined || isNamedOnly) return failed
  const { code } = await run(copy, 'node', ['scripts/test.mjs', '--bail=1'])
  return code === 0 ? undefined : 'the whole suite'
}

/** The first story that fails, and how. */
async function simulate(copy: string, minutes: string): Promise<string | undefined> {
  const words = ['--days', '5', '--minutes', minutes, '--first', '--whole', '--workers', '1']
  const { code, output } = await run(copy, 'node', ['test/simulation/simulate.ts', ...words])
  if (code === 0) return undefined
  // A story that cannot run at all finds nothing.
  if (!/^seed \d/m.test(output)) return undefined
  const [seed = '', fault = ''] = output.slice(output.indexOf('seed ')).split('\n')
  return `${seed.split(' ', 2).join(' ')}: ${fault.trim()}`
}

/** The name of the first test that fails; undefined if all pass. */
async function failureOf(copy: string, tests: readonly string[]): Promise<string | undefined> {
  if (tests.some((test) => needsBuild.test(test))) {
    const built = await run(copy, 'node', ['scripts/build.mjs'])
    if (built.code !== 0) throw new Error(`the build fails, which is no fault to look for:\n${built.output}`)
  }
  const report = join(copy, 'report.json')
  const { code, output } = await run(copy, 'vitest', [
    'run',
    '--bail=1',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${report}`,
    ...tests,
  ])
  if (code === 0) return undefined
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  for (const { name, message, assertionResults } of testResults) {
    const failed = assertionResults.find(({ status }) => status === 'failed')
    const file = name.slice(copy.length + 1)
    if (failed) return `${file} "${failed.fullName}"`
    if (message) return `${file} ${message.split('\n')[0]}`
  }
  // Something that no test waited for.
  return /^.*Error: .*$/m.exec(output)?.[0] ?? output.slice(-2000)
}

type Report = {
  testResults: Array<{
    name: string
    message: string
    assertionResults: Array<{ fullName: string; status: string }>
  }>
}

async function run(cwd: string, command: string, words: string[]): Promise<{ code: number; output: string }> {
  const ran = await execa(command, words, { cwd, env, stdin: 'ignore', all: true, reject: false })
  return { code: ran.exitCode ?? 1, output: ran.all }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
