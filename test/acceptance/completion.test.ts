import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { execa, execaSync } from 'execa'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Item } from '../../src/contract/resources/item.ts'
import { forAllTests } from '../support/each.ts'
import { operatorWith, root } from '../support/operator.ts'

const operator = forAllTests(operatorWith())

beforeAll(async () => {
  await operator.run(['init', '--database', 'x.db', '--name', 'northgate', '--no-check'])
  operator.write('buy sheet.csv', '')
  operator.write('buy.txt', '')
})

/** The program under its name, as a shell finds it. */
const started = `"${process.execPath}" "${join(root, 'bin', 'custody.js')}"`
const found = `custody() { ${started} "$@"; }`

async function inShell(shell: string, script: string): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: operator.folder,
    XDG_CONFIG_HOME: operator.path('config'),
    CUSTODY_DATABASE: operator.database,
  }
  const { stdout } = await execa(shell, ['-c', script], { cwd: operator.folder, env, extendEnv: false })
  return stdout
}

describe('completion in bash', () => {
  /** The completions that readline gets for a line, split as readline splits it; the last word is incomplete. */
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
    [['custody', 'items', 'ls', '--columns', 'qid,cert'], ['qid,cert_number']],
    [
      ['custody', 'manifests', 'report', 'PO-104'],
      ['PO-1043', 'PO-1042', 'PO-1041'],
    ],
    [['custody', 'items', 'ls', '--manifest-id', 'PO-1041'], ['PO-1041']],
    [['custody', 'items', 'ls', '--database', 'none.db', '--manifest-id', ''], []],
  ])('%j: %j', async (words, replies) => {
    expect(await complete(...words)).toEqual(replies)
  })

  test('runs nothing from the command line', async () => {
    expect(await complete('custody', 'items', '$(touch ran)', '`touch ran`', 's')).toEqual([])
    expect(existsSync(operator.path('ran'))).toBe(false)
  })

  test('offers no reference that the command would parse as an option', async () => {
    operator.write('lines.csv', 'description\nA card\n')
    const evil = '--base-url=http://evil.example/v1'
    const { exitCode } = await operator.run(['manifests', 'submit', 'lines.csv', `--reference=${evil}`])
    const offered = await complete('custody', 'manifests', 'close', '')
    expect([exitCode, offered.includes('PO-1043'), offered.includes(evil)]).toEqual([0, true, false])
  })

  test('offers the QIDs in custody', async () => {
    const [{ qid } = { qid: '' }] = await operator.look<Item[]>(['items', 'ls', '--limit', '1'])
    expect(await complete('custody', 'items', 'show', qid.slice(0, 8))).toContain(qid)
  })

  test('is installed once, with one line, for the shell in SHELL or the one named', async () => {
    operator.write('.bashrc', 'alias ll=ls')
    const install = (env: Record<string, string>, ...more: string[]) =>
      operator.run(['completion', 'install', ...more], { env })
    const first = await install({ SHELL: '/usr/bin/bash' })
    const again = await install({ SHELL: '/usr/bin/bash' })
    expect([first.exitCode, again.exitCode, again.stderr]).toEqual([
      0,
      0,
      expect.stringContaining('Already installed'),
    ])
    expect(operator.read('.bashrc')).toBe(
      'alias ll=ls\ncommand -v custody >/dev/null && source <(custody completion bash)\n',
    )
    // A shell that cannot find the program must not report it on every key.
    expect(await inShell('bash', 'PATH=; { source .bashrc || true; } 2>&1')).toBe('')
    await install({ SHELL: '' }, 'fish')
    expect(operator.read('config/fish/completions/custody.fish')).toContain('complete -c custody')
    const without = await install({ SHELL: '' })
    expect([without.exitCode, without.stderr]).toEqual([
      2,
      expect.stringContaining(
        'SHELL is not set, so custody does not know your shell. Name it, as in: custody',
      ),
    ])
    const unknown = await install({ SHELL: '/bin/tcsh' })
    expect([unknown.exitCode, unknown.stderr]).toEqual([2, expect.stringContaining('tcsh')])
  })

  test('is installed without changing other bytes or permissions, and not into a file that cannot be read', async () => {
    const file = operator.path('.zshrc')
    const own = Buffer.from('export CUSTODY_API_KEY=x # caf\xe9\n', 'latin1')
    writeFileSync(file, own)
    chmodSync(file, 0o600)
    const install = () => operator.run(['completion', 'install', 'zsh'])
    expect((await install()).exitCode).toBe(0)
    const line = Buffer.from('command -v custody >/dev/null && source <(custody completion zsh)\n')
    expect(readFileSync(file)).toEqual(Buffer.concat([own, line]))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    rmSync(file)
    symlinkSync('.zshrc', file)
    const unread = await install()
    expect([unread.exitCode, unread.stderr]).toEqual([
      8,
      expect.stringContaining('its symbolic links form a loop'),
    ])
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
  })

  test('can be loaded twice', async () => {
    const load = 'source <(custody completion bash)'
    expect(await inShell('bash', `${found}\n${load}\n${load}\ncomplete -p custody`)).toBe(
      'complete -F _custody custody',
    )
  })
})

const cases: Readonly<Record<string, readonly string[]>> = {
  'custody items s': ['show', 'summary'],
  'custody items ls --status in_': ['in_fulfillment', 'in_transit'],
  'custody --profile n': ['northgate'],
  'custody products import bu': ['buy sheet.csv', 'buy.txt'],
}
const lines = Object.keys(cases)

/** Other shells than bash, and the script that prints what each offers for each line, followed by an empty line. */
const others: ReadonlyArray<[string, string]> = [
  [
    'fish',
    `function custody; ${started} $argv; end
    custody completion fish | source
    ${lines.map((line) => `complete -C"${line}"; echo`).join('\n')}`,
  ],
  [
    'zsh',
    `${found}
    compdef() {}
    _files() { print -l -- "\${words[CURRENT]}"*(N) }
    _describe() { print -l -- "\${(@)\${(P@)2}%%:*}" }
    source <(custody completion zsh)
    ${lines.map((line) => `words=(${line}); CURRENT=\${#words}; _custody; echo`).join('\n')}`,
  ],
]

describe.each(others.filter(([shell]) => !execaSync(shell, ['-c', 'true'], { reject: false }).failed))(
  'completion in %s',
  (shell, script) => {
    test('offers the same as bash', async () => {
      const offered = (await inShell(shell, script)).trimEnd().split('\n\n')
      const words = offered.map((text) => text.split('\n').map((line) => line.split('\t')[0]))
      expect(Object.fromEntries(lines.map((line, at) => [line, words[at]]))).toEqual(cases)
    })
  },
)

describe('custody completion', () => {
  test.each(['bash', 'zsh', 'fish', 'powershell'])(
    '%s: prints a script that asks the program',
    async (shell) => {
      const { exitCode, stdout, stderr } = await operator.run(['completion', shell])
      expect([exitCode, stderr]).toEqual([0, ''])
      expect(stdout).toContain('custody __complete')
    },
  )

  test.each(['tcsh', ''])('%j is rejected, and the supported shells are listed', async (shell) => {
    const { exitCode, stderr } = await operator.run(['completion', shell])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish, powershell')])
  })
})
