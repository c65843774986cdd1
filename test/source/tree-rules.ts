import { posix } from 'node:path'
import { isSource, type SourceText } from './rule.ts'
import { importsOf, isNode, nodesOf, type SyntaxNode } from './syntax.ts'

/** A rule about files together. It must catch the trees in `planted`, and pass those in `innocent`. */
export type TreeRule = {
  title: string
  offences: (files: SourceText[]) => string[]
  planted: SourceText[][]
  innocent: SourceText[][]
}

const entriesMax = 30

export const folderSize: TreeRule = {
  title: `no folder of src has more than ${entriesMax} entries`,
  offences: (files) =>
    [...entriesByFolder(files)]
      .filter(([, entries]) => entries.size > entriesMax)
      .map(([folder, entries]) => `${folder} has ${entries.size} entries`),
  planted: [
    Array.from({ length: entriesMax + 1 }, (_, index) => file(`src/domain/a${index}.ts`)),
    Array.from({ length: entriesMax + 1 }, (_, index) => file(`src/cli/a${index}/b.ts`)),
  ],
  innocent: [Array.from({ length: entriesMax }, (_, index) => file(`src/domain/a${index}.ts`))],
}

export const noFileCircles: TreeRule = {
  title: 'no file of src imports itself through others',
  offences: (files) => circles(importGraph(files)).map((circle) => circle.join(' <-> ')),
  planted: [
    [file('src/store/a.ts', "import type { B } from './b.ts'"), file('src/store/b.ts', "import './a.ts'")],
    [
      file('src/store/a.ts', "const b = await import('./b.ts')"),
      file('src/store/b.ts', "export { c } from './c.ts'"),
      file('src/store/c.ts', "import { a } from './a.ts'"),
    ],
  ],
  innocent: [[file('src/store/a.ts', "import { b } from './b.ts'"), file('src/store/b.ts')]],
}

export const noFolderCircles: TreeRule = {
  title: 'no folder of src imports itself through others; a file at the root of a layer counts by itself',
  offences: (files) => circles(folderGraph(files)).map((circle) => circle.join(' <-> ')),
  planted: [
    [
      file('src/cli/find/a.ts', "import { b } from '../list/b.ts'"),
      file('src/cli/find/c.ts'),
      file('src/cli/list/b.ts', "import { c } from '../find/c.ts'"),
    ],
    [
      file('src/store/open.ts', "import { a } from './sqlite/a.ts'"),
      file('src/store/sqlite/a.ts'),
      file('src/store/sqlite/b.ts', "import { open } from '../open.ts'"),
    ],
  ],
  innocent: [
    [
      file('src/store/open.ts', "import { a } from './sqlite/a.ts'"),
      file('src/store/sqlite/a.ts', "import { d } from '../database.ts'"),
      file('src/store/database.ts'),
    ],
  ],
}

export const noUnusedExports: TreeRule = {
  title:
    'a value that src exports is imported by src, a script or a bench, or by a test if its own file uses it too; a type by anyone',
  offences: unusedExports,
  planted: [
    [
      file('src/domain/a.ts', 'export const a = 1'),
      file('test/a.test.ts', "import { a } from '../src/domain/a.ts'"),
    ],
    [file('src/domain/a.ts', 'export type A = 1'), file('src/domain/b.ts', 'const A = 1')],
    [file('src/cli/commands/items/show.ts', 'export const command = 1')],
    [
      file('src/domain/a.ts', 'export type A = 1'),
      file('src/domain/b.ts', "import './a.ts'"),
      file('test/a.test.ts', 'const A = 1'),
    ],
  ],
  innocent: [
    [
      file('src/domain/a.ts', 'export const a = 1\nconst b = a + 1'),
      file('test/a.test.ts', "import { a } from '../src/domain/a.ts'"),
    ],
    [
      file('src/domain/a.ts', 'export const a = 1'),
      file('src/domain/b.ts', "import { a as b } from './a.ts'"),
    ],
    [
      file('src/domain/a.ts', 'export function a() {}'),
      file('src/domain/b.ts', "const { a } = await import('./a.ts')"),
    ],
    [
      file('src/domain/a.ts', 'export type A = 1'),
      file('test/a.test.ts', "import type { A } from '../src/domain/a.ts'"),
    ],
    [
      file('src/domain/a.ts', 'export const a = 1'),
      file('bench/a.ts', "import { a } from '../src/domain/a.ts'"),
    ],
    [
      file('src/cli/commands/items/show.ts', 'export const command = 1'),
      file('src/cli/program/commands.ts', "const show = () => import('../commands/items/show.ts')"),
    ],
    [
      file('scripts/build.mjs', "await bundle('client/a.ts', [], {})"),
      file('src/client/a.ts', 'export const a = 1'),
    ],
  ],
}

function file(path: string, text = ''): SourceText {
  return { path, text }
}

function entriesByFolder(files: SourceText[]): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>()
  for (const { path } of files) {
    if (!path.startsWith('src/')) continue
    for (let entry = path; entry.includes('/'); entry = posix.dirname(entry)) {
      const folder = posix.dirname(entry)
      folders.set(folder, (folders.get(folder) ?? new Set()).add(entry))
    }
  }
  return folders
}

type Graph = Map<string, Set<string>>

export function importGraph(files: SourceText[]): Graph {
  const known = new Set(files.map(({ path }) => path))
  return new Map(
    files
      .filter(({ path }) => isSource(path))
      .map((each) => [each.path, new Set(targetsOf(each).filter((target) => known.has(target)))]),
  )
}

function targetsOf(each: SourceText): string[] {
  return importsOf(each)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => posix.join(posix.dirname(each.path), specifier))
}

function folderGraph(files: SourceText[]): Graph {
  const folders: Graph = new Map()
  for (const [path, targets] of importGraph(files)) {
    const reached = folders.get(folderOf(path)) ?? new Set()
    for (const target of targets) if (folderOf(target) !== folderOf(path)) reached.add(folderOf(target))
    folders.set(folderOf(path), reached)
  }
  return folders
}

/** `src/store/open.ts` counts by itself, `src/store/sqlite/a.ts` by its folder. */
function folderOf(path: string): string {
  return path.split('/').length <= 3 ? path : posix.dirname(path)
}

/** Groups of two or more that reach each other, by Tarjan's algorithm. */
function circles(graph: Graph): string[][] {
  const found: string[][] = []
  const order = new Map<string, { index: number; low: number }>()
  const open: string[] = []
  const visit = (name: string): { index: number; low: number } => {
    const own = { index: order.size, low: order.size }
    order.set(name, own)
    open.push(name)
    for (const next of graph.get(name) ?? []) {
      const seen = order.get(next)
      if (seen === undefined) own.low = Math.min(own.low, visit(next).low)
      else if (open.includes(next)) own.low = Math.min(own.low, seen.index)
    }
    if (own.low === own.index) {
      const circle = open.splice(open.indexOf(name))
      if (circle.length > 1) found.push(circle.sort())
    }
    return own
  }
  for (const name of graph.keys()) if (!order.has(name)) visit(name)
  return found
}

function unusedExports(files: SourceText[]): string[] {
  const libraries = libraryFiles(files)
  const importers = new Map<string, SourceText[]>()
  for (const user of files.filter(({ path }) => /\.m?ts$/.test(path)))
    for (const target of new Set(targetsOf(user)))
      importers.set(target, [...(importers.get(target) ?? []), user])
  const isUsed = (path: string, { name, isType, isUsedInside }: Exported): boolean =>
    (importers.get(path) ?? []).some(
      (user) =>
        (isType || isUsedInside || !user.path.startsWith('test/')) &&
        // The table of commands names only the file.
        (namesIn(user).has(name) || (name === 'command' && path.startsWith('src/cli/commands/'))),
    )
  return files
    .filter(({ path }) => isSource(path))
    .flatMap((each) => exportsOf(each).map((exported) => ({ path: each.path, exported })))
    .filter(({ path, exported }) => !libraries.includes(path) && !isUsed(path, exported))
    .map(({ path, exported }) => `${path} exports ${exported.name}`)
}

/** Libraries that the build creates: their exports are for others. */
function libraryFiles(files: SourceText[]): string[] {
  const build = files.find(({ path }) => path === 'scripts/build.mjs')?.text ?? ''
  return [...build.matchAll(/bundle\('([^']+)'/g)].map(([, path]) => `src/${path}`)
}

type Exported = { name: string; isType: boolean; isUsedInside: boolean }

function exportsOf(each: SourceText): Exported[] {
  return nodesOf(each)
    .filter((node) => node.type === 'ExportNamedDeclaration' && isNode(node.declaration))
    .flatMap((node) => declaredBy(node.declaration as SyntaxNode, each.text))
}

function declaredBy(declaration: SyntaxNode, text: string): Exported[] {
  const declared =
    declaration.type === 'VariableDeclaration' ? (declaration.declarations as SyntaxNode[]) : [declaration]
  return declared
    .map(({ id }) => id)
    .filter(isNode)
    .map(({ name }) => ({
      name: String(name),
      isType: /^TS(Type|Interface)/.test(declaration.type),
      isUsedInside: text.match(/[\w$]+/g)!.filter((word) => word === name).length > 1,
    }))
}

const names = new Map<string, Set<string>>()

/** Every identifier in the file. */
function namesIn({ text }: SourceText): Set<string> {
  const known = names.get(text) ?? new Set(text.match(/[\w$]+/g))
  names.set(text, known)
  return known
}
