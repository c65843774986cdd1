// npm run test:changes: makes each everyday change in a copy of the tree. With the whole change and new golden files, types and
// tests pass; without any one of its places, or with a misspelling, they do not. Arguments: names of changes.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execaSync } from 'execa'
import { copyOfTree } from '../support/copy-of-tree.ts'
import { type Change, changes } from './changes.ts'

const bin = join(import.meta.dirname, '..', '..', 'node_modules', '.bin')
const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, NO_COLOR: '1', UPDATE_GOLDEN: '1' }

const wanted = process.argv.slice(2)
const copy = copyOfTree()
let misses = 0
try {
  for (const change of changes)
    if (wanted.length === 0 || wanted.includes(change.name)) for (const line of judged(change)) say(line)
} finally {
  rmSync(copy, { recursive: true, force: true })
}
process.exitCode = misses === 0 ? 0 : 1

function* judged(change: Change): Generator<[isRight: boolean, text: string]> {
  const { name, patch, files, misspelt } = change
  const whole = after(change, () => git('apply', patch))
  yield [whole === undefined, `${name}, whole: ${whole ?? 'types and tests pass'}`]
  if (files.length > 1)
    for (const place of placesOf(files)) {
      const fault = after(change, () => git('apply', ...place.map((file) => `--exclude=${file}`), patch))
      yield [fault !== undefined, `${name} without ${place[0]}: ${fault ?? 'MISSED'}`]
    }
  if (misspelt === undefined) return
  const fault = after(change, () => {
    git('apply', patch)
    const file = join(copy, files[0] as string)
    writeFileSync(file, readFileSync(file, 'utf8').replace(...misspelt))
  })
  yield [fault !== undefined, `${name}, misspelt: ${fault ?? 'MISSED'}`]
}

/** Each file of src is a place; the sample exports together are one. */
function placesOf(files: readonly string[]): string[][] {
  const others = files.filter((file) => !file.startsWith('src/'))
  const places = files.filter((file) => file.startsWith('src/')).map((file) => [file])
  return others.length > 0 ? [...places, others] : places
}

/** What fails in the copy after a change. */
function after({ tests }: Change, done: () => void): string | undefined {
  git('reset', '--quiet', '--hard')
  git('clean', '--quiet', '--force', 'src', 'test')
  done()
  const types = run('tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', 'custody.tsbuildinfo')
  if (types.failed) return types.stdout.split('\n', 1)[0]
  if (tests.length === 0) return undefined
  const { failed, stdout, stderr } = run('vitest', 'run', '--bail=1', ...tests)
  return !failed ? undefined : (/^ *FAIL .*$/m.exec(stdout + stderr)?.[0].trim() ?? stdout.slice(-500))
}

function git(...words: string[]): void {
  const { failed, stderr } = run('git', ...words)
  if (failed) throw new Error(`git ${words.join(' ')}: ${stderr}`)
}

function run(command: string, ...words: string[]) {
  return execaSync(command, words, { cwd: copy, env, reject: false })
}

function say([isRight, text]: [boolean, string]): void {
  if (!isRight) misses += 1
  process.stdout.write(`${isRight ? 'ok' : 'NOT OK'}  ${text}\n`)
}
