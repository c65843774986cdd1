import { expect, test } from 'vitest'
import { projectFiles } from './tree.ts'

const files = projectFiles()

const inProgram = [
  ...['commander', '@inquirer/prompts', 'undici', 'csv-stringify', 'csv-parse', 'cli-table3', 'conf', 'ora'],
  'kleur',
]

test.each(inProgram)('%s is a dependency that src imports', (name) => {
  expect([declaredIn('dependencies', name), importsOf('src', name)]).toEqual([true, true])
})

test.each(['vitest', 'execa'])('%s is a development dependency that test imports', (name) => {
  expect([declaredIn('devDependencies', name), importsOf('test', name)]).toEqual([true, true])
})

function declaredIn(group: 'dependencies' | 'devDependencies', name: string): boolean {
  const declared = files.find(({ path }) => path === 'package.json')?.text ?? '{}'
  return name in JSON.parse(declared)[group]
}

/** A type disappears from the running code. */
function importsOf(folder: string, name: string): boolean {
  const lines = files
    .filter(({ path }) => path.startsWith(`${folder}/`) && path.endsWith('.ts'))
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => /^import (?!type)|^\} from |import\(/.test(line))
  return lines.some((line) => line.includes(`'${name}'`) || line.includes(`'${name}/`))
}
