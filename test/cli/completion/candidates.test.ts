import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { nouns } from '../../../src/cli/program/commands.ts'
import { itemStatuses, webhookEventTypes } from '../../../src/contract/enums.ts'
import { cliUser, forAllTests } from '../../support/each.ts'

const user = forAllTests(cliUser)

beforeAll(() => {
  const folder = join(user.home, '.config', 'custody')
  mkdirSync(folder, { recursive: true })
  const profiles = { northgate: { base_url: 'https://a.example/v1' }, own: { database: 'own.db' } }
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 })
})

/** The completions of a line; the last word is incomplete. */
async function following(line: string): Promise<string[]> {
  const words = line.split(' ')
  const { code, out, err } = await user.run(['__complete', '--', ...words.slice(0, -1), `.${words.at(-1)}`])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return out
    .split('\n')
    .filter(Boolean)
    .map((text) => text.split('\t')[0] ?? '')
}

describe('completion candidates', () => {
  test('an empty line offers all visible commands', async () => {
    const names = Object.keys(nouns).filter((name) => !nouns[name]?.isHidden)
    expect(await following('')).toEqual([...names, 'help'])
    expect(names).not.toContain('__complete')
  })

  test.each<[string, string[]]>([
    ['ite', ['items']],
    ['items s', ['show', 'summary']],
    ['admin keys ro', ['rotate']],
    ['help webhooks rot', ['rotate-secret']],
    ['help exit', ['exit-codes']],
    ['nonsense ', []],
    ['items ls --status ', [...itemStatuses]],
    ['items ls --status av', ['available']],
    ['items ls --status=av', ['--status=available']],
    ['items ls --status available,rel', ['available,released']],
    ['items ls --columns=qid,gra', ['--columns=qid,grader', '--columns=qid,grade', ':open']],
    ['manifests report M --status mis', ['missing']],
    ['manifests report M --summary-columns refe', ['reference', ':open']],
    ['items ls --stat', ['--status']],
    ['items ls -o nd', ['ndjson']],
    ['--profile own items su', ['summary']],
    ['--profile no', ['northgate']],
    ['items ls --profile ', ['northgate', 'own']],
    ['profiles use ', ['northgate', 'own']],
    ['profiles use own ', []],
    ['events tail --type transfer.c', ['transfer.completed', 'transfer.cancelled', ':open']],
    [
      'webhooks create u --type transfer.requested,transfer.co',
      ['transfer.requested,transfer.completed', ':open'],
    ],
    ['products import ', [':files']],
    ['items ls --database ', [':files']],
    ['items ls --limit ', []],
    ['completion ', ['bash', 'zsh', 'fish', 'powershell', 'install']],
    ['completion bash ', []],
    ['warehouse resolve-transfer x y --to ', ['completed', 'declined']],
    ['items ls -- --al', []],
  ])('%j: %j', async (line, words) => {
    expect(await following(line)).toEqual(words)
  })

  test('never repeat a type in a list', async () => {
    const rest = await following(`webhooks update w --type ${webhookEventTypes[0]},`)
    expect(rest).toHaveLength(webhookEventTypes.length)
    expect(rest).not.toContain(`${webhookEventTypes[0]},${webhookEventTypes[0]}`)
  })

  test('never repeat a flag, or offer one that the command rejects', async () => {
    const flags = await following('items ls --all --')
    expect(flags).toContain('--limit')
    expect(flags).not.toContain('--all')
    expect(flags).not.toContain('--api-key')
  })
})

test('hide the command that scripts call', async () => {
  expect((await user.run(['--help'])).out).not.toContain('__complete')
})
