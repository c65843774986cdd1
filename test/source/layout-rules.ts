import { at, type SourceText } from './rule.ts'
import { importGraph, type TreeRule } from './tree-rules.ts'

const page = 'docs/layout.md'
const orderedLayers = /^src\/(cli|service|store)\//

export const folderOrder: TreeRule = {
  title: `each folder of cli, service, and store is in the order of ${page}, and imports nothing above it`,
  offences: orderOffences,
  planted: [
    [layout('Inside `cli`: `find` -> `base`'), code('cli/base/a.ts', '../find/b.ts'), code('cli/find/b.ts')],
    [
      layout('Inside `cli`: `program` -> `base`'),
      code('cli/base/a.ts', '../program.ts'),
      code('cli/program.ts'),
    ],
    [layout('Inside `store`: `open` ->\n`sql`'), code('store/sql.ts', './open.ts'), code('store/open.ts')],
    [
      layout('Inside `cli`: `find` -> `base`'),
      code('cli/find/b.ts'),
      code('cli/base/a.ts'),
      code('cli/new/c.ts'),
    ],
    [layout('Inside `cli`: `find` -> `base`'), code('cli/find/b.ts')],
    [layout('Nothing is said.'), code('service/service.ts')],
  ],
  innocent: [
    [
      layout(
        'Inside `cli`, from the top:\n`find`, `ask` -> `base`\n\nInside `store`: `c`\n\nThe `demo` is\nno folder.',
      ),
      code('cli/find/a.ts', '../ask.ts'),
      code('cli/ask.ts', './base/b.ts'),
      code('cli/base/b.ts', '../../store/c.ts'),
      code('store/c.ts'),
    ],
  ],
}

export const namedPlaces: TreeRule = {
  title: `every path that ${page} names exists`,
  offences: placeOffences,
  planted: [
    [layout('`engine/keys.ts`'), code('engine/items.ts')],
    [layout('`engine/items/`'), code('engine/items.ts')],
    [layout('`library.ts`'), code('client/library.ts')],
    [layout('| `extras` | all else |'), code('engine/items.ts')],
    [layout('`custody/extras`'), { path: 'package.json', text: '{ "./client": {} }' }],
  ],
  innocent: [
    [
      layout('| `engine` | `handle(call) -> reply` in `engine/items`, `engine/a.ts` |'),
      code('engine/items/b.ts'),
      code('engine/a.ts'),
    ],
    [
      layout('`custody/client`, tested in `test/source/`'),
      { path: 'package.json', text: '{ "./client": {} }' },
      { path: 'test/source/rule.ts', text: '' },
    ],
  ],
}

function orderOffences(files: SourceText[]): string[] {
  const ranks = ranksOf(textOfPage(files))
  const graph = [...importGraph(files)].filter(([path]) => orderedLayers.test(path))
  const folders = new Set(graph.map(([path]) => folderOf(path)))
  const upward = graph.flatMap(([path, targets]) =>
    [...targets]
      .filter(
        (target) =>
          layerOf(target) === layerOf(path) && ranks.get(folderOf(target))! < ranks.get(folderOf(path))!,
      )
      .map((target) => `${path} imports ${target}, which is above it`),
  )
  return [
    ...[...folders]
      .filter((folder) => !ranks.has(folder))
      .map((folder) => `${folder} is missing from the order`),
    ...[...ranks.keys()]
      .filter((folder) => !folders.has(folder))
      .map((folder) => `${folder} is only in the order`),
    ...upward,
  ]
}

/** The rank of each folder, from the paragraphs that begin with "Inside". Folders between two arrows share a rank. */
function ranksOf(text: string): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const [, layer, order] of text.matchAll(/^Inside `(\w+)`([\s\S]*?)(?:\n\n|$(?![\s\S]))/gm))
    for (const [rank, level] of order!.split('->').entries())
      for (const [, folder] of level.matchAll(/`([^`]+)`/g)) ranks.set(`src/${layer}/${folder}`, rank)
  return ranks
}

function layerOf(path: string): string {
  return path.split('/')[1]!
}

/** `src/cli/find` for its files, `src/cli/command` for `src/cli/command.ts`. */
function folderOf(path: string): string {
  return path.split('/').slice(0, 3).join('/').replace(/\.ts$/, '')
}

function placeOffences(files: SourceText[]): string[] {
  const text = textOfPage(files)
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]*)+|[\w-]+\.ts)`|^\| `(\w+)`/gm)]
  return named
    .filter(([, path, layer]) => !exists(path ?? `${layer}/`, files))
    .map((match) => at({ path: page, text }, match.index, match[0]))
}

function exists(named: string, files: SourceText[]): boolean {
  const entry = /^custody\/(\w+)$/.exec(named)?.[1]
  if (entry !== undefined)
    return files.some(({ path, text }) => path === 'package.json' && text.includes(`"./${entry}"`))
  const folder = named.endsWith('/') ? named : `${named}/`
  return files.some(({ path }) =>
    [path, path.replace(/^src\//, '')].some((each) => each === named || each.startsWith(folder)),
  )
}

function textOfPage(files: SourceText[]): string {
  return files.find(({ path }) => path === page)?.text ?? ''
}

function layout(text: string): SourceText {
  return { path: page, text }
}

function code(path: string, ...imported: string[]): SourceText {
  return { path: `src/${path}`, text: imported.map((each) => `import '${each}'`).join('\n') }
}
