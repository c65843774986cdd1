// npm test: runs build, types and lint at the same time, then every test; stops if one of the first three fails. Passes arguments
// to vitest, for example `npm test -- --project unit`. The last line is always "N passed, N failed".
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = join(root, 'node_modules', '.bin')
const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` }

process.exitCode = await main(process.argv.slice(2))

async function main(vitestArguments) {
  const checks = await Promise.all([
    stage('build', 'node', ['scripts/build.mjs']),
    // Remembers what it checked, and checks again what has changed since.
    stage('types', 'tsc', [
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      'node_modules/.cache/types.tsbuildinfo',
    ]),
    stage('lint', 'biome', ['check', '.']),
  ])
  const failed = ['build', 'types', 'lint'].filter((_, index) => !checks[index])
  return failed.length > 0 ? failedAt(failed.join(' and ')) : runTests(vitestArguments)
}

/** Runs one command and prints its output in one piece, because several may run at the same time. */
async function stage(name, command, commandArguments) {
  const started = performance.now()
  const { code, output } = await run(command, commandArguments, ['ignore', 'pipe', 'pipe'])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)`)
  if (code !== 0) console.log(output.trimEnd())
  return code === 0
}

function failedAt(stages) {
  console.log(`Stopped: ${stages} failed, the tests did not run.`)
  console.log('0 passed, 1 failed')
  return 1
}

async function runTests(vitestArguments) {
  const folder = mkdtempSync(join(tmpdir(), 'custody-test-'))
  env.CUSTODY_TEST_COUNTS = join(folder, 'counts.json')
  // A process of one project does not run the files of another: unless one is asked for, most of them are one. Soaks have long limits.
  if (!vitestArguments.some((argument) => /^--(?:project|mode)\b/.test(argument)))
    env.CUSTODY_TEST_TOGETHER = '1'
  const reporters = ['--reporter=default', '--reporter=./scripts/count-reporter.mjs']
  const { code } = await run('vitest', ['run', ...reporters, ...vitestArguments], 'inherit')
  const { passed, failed } = readCounts(env.CUSTODY_TEST_COUNTS, code)
  rmSync(folder, { recursive: true, force: true })
  console.log(`${passed} passed, ${failed} failed`)
  return code === 0 && failed === 0 && passed > 0 ? 0 : 1
}

/** The last line must not look like success if vitest failed or reported nothing. */
function readCounts(file, code) {
  try {
    const { passed, failed } = JSON.parse(readFileSync(file, 'utf8'))
    return { passed, failed: code === 0 ? failed : Math.max(failed, 1) }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function run(command, commandArguments, stdio) {
  const child = spawn(command, commandArguments, { cwd: root, env, stdio })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: 1, output: `${command}: ${error.message}` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
