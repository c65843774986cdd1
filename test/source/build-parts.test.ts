import { posix } from 'node:path'
import { describe, expect, it } from 'vitest'
// @ts-expect-error a script without types
import { files } from '../../scripts/parts.mjs'
import type { SourceText } from './rule.ts'
import { isNode, nodesOf, type SyntaxNode } from './syntax.ts'
import { projectFiles } from './tree.ts'

const timeout = 60_000

type Table = Record<string, readonly string[]>

describe("the table of the build's parts", () => {
  const main = { path: 'src/cli/main.ts', text: "import('./a.ts')\nimport('./b.ts')" }
  const a = { path: 'src/cli/a.ts', text: "import { c } from './c.ts'\nimport type { B } from './b.ts'" }
  const b = { path: 'src/cli/b.ts', text: 'export type B = 1' }
  const c = { path: 'src/cli/c.ts', text: 'export const c = 1' }
  const program = ['cli/a.ts']

  it('has no fault', { timeout }, () => {
    expect(partFaults(projectFiles(), files)).toEqual([])
  })

  it('has no fault if each listed module is reached and each other is a file of its own', () => {
    expect(partFaults([main, a, b, c], { main: ['cli/main.ts'], program })).toEqual([])
  })

  it('names a listed module that does not exist, or that no import() reaches', () => {
    const table = { main: ['cli/main.ts'], program, other: ['cli/moved.ts', 'cli/c.ts'] }
    expect(partFaults([main, a, b, c], table)).toEqual([
      'cli/moved.ts is listed, but no import() reaches it',
      'cli/c.ts is listed, but no import() reaches it',
    ])
  })

  it('names a part that a static import, even indirect, draws into a listed file', () => {
    const drawing = { ...c, text: "export { b } from './b.ts'" }
    expect(partFaults([main, a, b, drawing], { main: ['cli/main.ts'], program })).toEqual([
      'cli/b.ts is to be a part, but a listed file imports it statically',
    ])
  })
})

/** What is wrong with such a table; its first entry is where the program starts. */
function partFaults(sources: readonly SourceText[], table: Table): string[] {
  const modules = new Map(sources.map((source) => [source.path.replace(/^src\//, ''), source]))
  const listed = Object.values(table).flat()
  const reached = new Set([
    ...listed.slice(0, 1),
    ...[...modules.keys()].flatMap((name) => parts(modules, name)),
  ])
  const held = new Set<string>()
  const hold = (name: string): void => {
    if (held.has(name)) return
    held.add(name)
    for (const next of imported(modules, name)) hold(next)
  }
  for (const name of listed) hold(name)
  const unreached = listed.filter((name) => !reached.has(name) || !modules.has(name))
  const drawn = [...reached].filter((name) => !listed.includes(name) && held.has(name))
  return [
    ...unreached.map((name) => `${name} is listed, but no import() reaches it`),
    ...drawn.map((name) => `${name} is to be a part, but a listed file imports it statically`),
  ]
}

type Modules = ReadonlyMap<string, SourceText>

function parts(modules: Modules, name: string): string[] {
  return targets(modules, name, ({ type }) => type === 'ImportExpression')
}

/** The modules that a module loads; a type loads nothing. */
function imported(modules: Modules, name: string): string[] {
  return targets(
    modules,
    name,
    ({ type, importKind, exportKind }) =>
      type !== 'ImportExpression' && importKind !== 'type' && exportKind !== 'type',
  )
}

function targets(modules: Modules, name: string, isWanted: (node: SyntaxNode) => boolean): string[] {
  const source = modules.get(name)
  if (source === undefined || !/^src\/.*\.ts$/.test(source.path)) return []
  return nodesOf(source).flatMap((node) => {
    const target = isWanted(node) && isNode(node.source) ? String(node.source.value) : ''
    return target.startsWith('.') ? [posix.join(posix.dirname(name), target)] : []
  })
}
