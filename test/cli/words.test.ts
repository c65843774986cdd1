import { describe, expect, test } from 'vitest'
import { namedBy, orderArguments } from '../../src/cli/command-line/argv.ts'
import { nouns } from '../../src/cli/program/commands.ts'

describe('parsing a command line', () => {
  test.each([
    [[], []],
    [['--version'], []],
    [['items'], ['items']],
    [
      ['items', 'ls', '--json'],
      ['items', 'ls'],
    ],
    [['items', 'lst'], ['items']],
    [['items', '--help'], ['items']],
    [['demo', 'ls'], ['demo']],
    [['constructor'], []],
    [['items', 'constructor'], ['items']],
  ])('turns %j into %j', (args, words) => {
    expect(namedBy(args, nouns).words).toEqual(words)
  })

  test.each([
    [
      ['--json', 'items', 'ls'],
      ['items', 'ls', '--json'],
    ],
    [
      ['--database', 'a.db', 'items', 'ls'],
      ['items', 'ls', '--database', 'a.db'],
    ],
    [
      ['-o', 'csv', '--no-color', 'items', 'ls', '--all'],
      ['items', 'ls', '--all', '-o', 'csv', '--no-color'],
    ],
    [
      ['--version', 'items'],
      ['--version', 'items'],
    ],
    [
      ['items', 'ls', '--json'],
      ['items', 'ls', '--json'],
    ],
    [['--json'], ['--json']],
  ])('%j is read as %j', (args, ordered) => {
    expect(orderArguments(args)).toEqual(ordered)
  })
})
