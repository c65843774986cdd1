import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { picturesByName, sessionOutputs } from '../../scripts/pictures/record.ts'
import { root } from '../support/operator.ts'

test('each picture of the documentation shows what the program prints today', async () => {
  const folder = join(root, 'docs', 'pictures')
  const drawn = await picturesByName()
  expect(readdirSync(folder).sort()).toEqual([...drawn.keys()].sort())
  for (const [name, svg] of drawn)
    expect(readFileSync(join(folder, name), 'utf8'), `${name}: run npm run docs:pictures`).toBe(svg)
})

test('each page shows pictures that exist, in both themes', () => {
  const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  const shown = pages
    .filter((name) => name.endsWith('.md'))
    .flatMap((name) => [...readFileSync(join(root, name), 'utf8').matchAll(/pictures\/([\w-]+\.svg)/g)])
    .map(([, name]) => name)
  expect([...new Set(shown)].sort()).toEqual(readdirSync(join(root, 'docs', 'pictures')).sort())
})

test('the first session of the README prints what the README shows; … stands for lines left out', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, block = ''] = /```console\n([\s\S]*?)```/.exec(readme) ?? []
  const steps = block
    .split(/^\$ /m)
    .slice(1)
    .map((step) => step.trimEnd().split('\n'))
  const outputs = await sessionOutputs(steps.map(([command = '']) => command))
  expect(steps.length).toBe(6)
  for (const [index, [command, ...shown]] of steps.entries()) {
    expect(withoutLeftOut(outputs[index] ?? '', shown), command).toBe(shown.join('\n'))
  }
})

/** An output with … for the lines that the README leaves out. */
function withoutLeftOut(output: string, shown: readonly string[]): string {
  const rest = output.trimEnd().split('\n')
  const kept = shown.flatMap((line, index) => {
    if (line !== '…') return rest.splice(0, 1)
    const next = shown[index + 1]
    rest.splice(0, next === undefined ? rest.length : Math.max(1, rest.indexOf(next)))
    return ['…']
  })
  return [...kept, ...rest].join('\n')
}
