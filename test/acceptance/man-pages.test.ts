import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import type { Group, Load } from '../../src/cli/command.ts'
import { nouns } from '../../src/cli/program/commands.ts'

const folder = join(import.meta.dirname, '..', '..', 'dist', 'man')

test('the build writes a man page for the program, each group, and each command', () => {
  const names = Object.entries(nouns)
    .filter(([, { isHidden }]) => !isHidden)
    .flatMap(([name, noun]) => ('load' in noun ? [`custody-${name}`] : pagesOf(`custody-${name}`, noun)))
  expect(readdirSync(folder).sort()).toEqual(['custody', ...names].map((name) => `${name}.1`).sort())
})

test("a man page has the help page's sections, and no line that troff would read as a request", () => {
  const page = readFileSync(join(folder, 'custody-manifests-submit.1'), 'utf8')
  const headings = [...page.matchAll(/^\.SH (.*)$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(
    expect.arrayContaining(['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'OUTPUT', 'TARGET', 'EXAMPLES']),
  )
  expect(page).toContain('\\-\\-reference <text>')
  for (const name of readdirSync(folder)) {
    const requests = readFileSync(join(folder, name), 'utf8').match(/^[.'].*$/gm) ?? []
    expect(
      requests.filter((line) => !/^\.(TH|SH|B|PP|nf|fi)\b/.test(line)),
      name,
    ).toEqual([])
  }
})

// A minimal machine has no `man`.
test.runIf(existsSync('/usr/bin/man'))('man formats a page as the terminal shows it', async () => {
  const page = join(folder, 'custody-items-ls.1')
  const { stdout: text } = await execa('man', ['-P', 'cat', '-l', page])
  expect(text).toMatch(/^NAME\n {7}custody-items-ls - list .*\n\nSYNOPSIS/m)
  expect(text).toContain('$ custody items ls')
})

function pagesOf(name: string, { verbs }: Group): string[] {
  const below = Object.entries(verbs).flatMap(([verb, known]: [string, Load | Group]) =>
    typeof known === 'function' ? [`${name}-${verb}`] : pagesOf(`${name}-${verb}`, known),
  )
  return [name, ...below]
}
