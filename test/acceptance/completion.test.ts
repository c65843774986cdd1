import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newOperator, type Operator, root } from '../support/operator.ts'

let operator: Operator

beforeAll(async () => {
  operator = await newOperator('none')
  await operator.run(['init', '--database', 'x.db', '--name', 'northgate', '--no-check'])
  operator.write('buy sheet.csv', '')
  operator.write('buy.txt', '')
})

afterAll(() => operator.leave())

/** The program under its name, as a shell finds it. */
const found = `custody() { "${process.execPath}" "${join(root, 'bin', 'custody.js')}" "$@"; }`

async function inShell(shell: string, script: string): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: operator.folder,
    XDG_CONFIG_HOME: operator.path('config'),
  }
  const { stdout } = await execa(shell, ['-c', script], { cwd: operator.folder, env, extendEnv: false })
  return stdout
}

describe('completion in bash', () => {
  /** What readline would be given for a line, split as readline splits it; the last word is the one begun. */
  async function complete(...words: string[]): Promise<string[]> {
    const script = `${found}
      source <(custody completion bash)
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
      eval "$(complete -p custody | sed 's/^complete -F \\([^ ]*\\) custody$/\\1/')"
      printf '%s\\n' "\${COMPREPLY[@]}"`
    return (await inShell('bash', script)).split('\n').filter(Boolean)
  }

  test.each<[string[], string[]]>([
    [['custody', 'tra'], ['transfers']],
    [
      ['custody', 'items', 's'],
      ['show', 'summary'],
    ],
    [
      ['custody', 'items', 'ls', '--status', 'in_'],
      ['in_fulfillment', 'in_transit'],
    ],
    [
      ['custody', 'items', 'ls', '--status', '=', 'in_'],
      ['in_fulfillment', 'in_transit'],
    ],
    [['custody', 'items', 'ls', '--status', '=', ''], expect.arrayContaining(['available'])],
    [
      ['custody', 'events', 'tail', '--type', 'transfer.c'],
      ['transfer.completed', 'transfer.cancelled'],
    ],
    [['custody', 'profiles', 'use', ''], ['northgate']],
    [['custody', '--profile', 'north'], ['northgate']],
    [['custody', 'products', 'import', 'buy'], expect.arrayContaining(['buy sheet.csv', 'buy.txt'])],
    [['custody', 'items', 'ls', '--all', ''], []],
  ])('%j: %j', async (words, replies) => {
    expect(await complete(...words)).toEqual(replies)
  })

  test('runs nothing of what stands in the line', async () => {
    expect(await complete('custody', 'items', '$(touch ran)', '`touch ran`', 's')).toEqual([])
    expect(existsSync(operator.path('ran'))).toBe(false)
  })

  test('can be loaded twice', async () => {
    const load = 'source <(custody completion bash)'
    expect(await inShell('bash', `${found}\n${load}\n${load}\ncomplete -p custody`)).toBe(
      'complete -F _custody custody',
    )
  })
})

describe('custody completion', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])('%s: a script that asks the program', async (shell) => {
    const { exitCode, stdout, stderr } = await operator.run(['completion', shell])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(stdout).toContain('custody __complete')
  })

  test.each(['tcsh', ''])('%j is refused with the shells that there are', async (shell) => {
    const { exitCode, stderr } = await operator.run(['completion', shell])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish, powershell')])
  })
})
