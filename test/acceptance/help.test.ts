import stringWidth from 'string-width'
import { describe, expect, test } from 'vitest'
import type { Group, Load } from '../../src/cli/command.ts'
import { helpTopics } from '../../src/cli/output/help-topics.ts'
import { nouns } from '../../src/cli/program/commands.ts'
import { runCli } from '../../src/cli/program/program.ts'
import { collectingOutlet } from '../cli/collecting-outlet.ts'
import { expectGolden } from '../support/golden.ts'
import { newOperator } from '../support/operator.ts'

const commands = Object.entries(nouns)
  .filter(([, { isHidden }]) => !isHidden)
  .flatMap(([name, noun]) => ('load' in noun ? [[name]] : [[name], ...commandsOf([name], noun)]))

describe('help', () => {
  test.each([[[]], ...commands.map((words) => [words])])(
    'of custody %j matches its golden page',
    async (words: string[]) => {
      expectGolden(`help/${['custody', ...words].join('-')}.txt`, await helpOf(words))
    },
  )

  test('the page of the exit codes matches its golden page', async () => {
    expectGolden('help/exit-codes.txt', await printed(['help', 'exit-codes']))
  })

  test.each(Object.keys(helpTopics))('the topic %s is plain text of at most 80 columns', async (topic) => {
    const text = await printed(['help', topic])
    expect(text.split('\n').length).toBeGreaterThan(8)
    expect(text).not.toMatch(/\]\(|\*\*|`|^\||<\w+>/m)
    expect(text.split('\n').filter((line) => stringWidth(line) > 80)).toEqual([])
    expect(await helpOf([])).toContain(topic)
  })

  test('is the same however it is requested', async () => {
    expect(await printed(['help', 'items', 'ls'])).toBe(await helpOf(['items', 'ls']))
    expect(await printed([])).toBe(await helpOf([]))
  })

  test('has an example for every command and group', async () => {
    for (const words of [[], ...commands]) {
      expect(await helpOf(words), words.join(' ')).toContain('\nExamples:\n  $ custody ')
    }
  })

  test('shows examples before options', async () => {
    for (const words of [[], ...commands]) {
      const text = await helpOf(words)
      expect(text.indexOf('\nExamples:\n'), words.join(' ')).toBeLessThan(text.indexOf('  -h, --help '))
    }
  })

  test('help of a group prints the same as the group alone', async () => {
    expect(await printed(['items'])).toBe(await helpOf(['items']))
    expect(await printed(['admin', 'keys'])).toBe(await helpOf(['admin', 'keys']))
  })

  test('matches what the built program prints', async () => {
    const operator = await newOperator('none')
    for (const words of [
      ['items', 'ls'],
      ['events', 'tail'],
    ]) {
      const { exitCode, stdout, stderr } = await operator.run([...words, '--help'])
      expect([exitCode, stderr]).toEqual([0, ''])
      expect(stdout).toBe(await helpOf(words))
    }
    operator.leave()
  })
})

function commandsOf(words: readonly string[], { verbs }: Group): string[][] {
  return Object.entries(verbs).flatMap(([verb, known]: [string, Load | Group]) => {
    const path = [...words, verb]
    return typeof known === 'function' ? [path] : [path, ...commandsOf(path, known)]
  })
}

function helpOf(words: readonly string[]): Promise<string> {
  return printed([...words, '--help'])
}

async function printed(args: readonly string[]): Promise<string> {
  const out = collectingOutlet()
  const err = collectingOutlet()
  const stdin = { isTerminal: false, chunks: async function* () {} }
  const code = await runCli(args, {
    env: {},
    cwd: '.',
    stdin,
    out,
    err,
    now: () => 0,
    stopSignal: () => new AbortController().signal,
  })
  expect([code, err.text], args.join(' ')).toEqual([0, ''])
  return out.text
}
