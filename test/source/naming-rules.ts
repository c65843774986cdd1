import { at, isCode, type Rule, type SourceText } from './rule.ts'
import { dotted, isNode, nodesOf, type SyntaxNode } from './syntax.ts'

const vague = /(^|\/)(utils?|helpers?|shared|common|misc|index)(\.test)?(\.ts|\/)/
const kebab = /(^|\/)[a-z0-9]+(-[a-z0-9]+)*(\.test|\.d)?\.ts$/

export const fileNames: Rule = {
  title: 'a file is named in kebab-case after what it holds, not utils, helpers, shared or index',
  covers: isCode,
  offences: ({ path }) => (vague.test(path) || !kebab.test(path) ? [path] : []),
  planted: [
    { path: 'src/domain/utils.ts', text: '' },
    { path: 'src/store/index.ts', text: '' },
    { path: 'test/helpers/clock.ts', text: '' },
    { path: 'src/engine/shared.ts', text: '' },
    { path: 'src/cli/openFile.ts', text: '' },
  ],
  innocent: [
    { path: 'src/domain/manifests/manifest-csv.ts', text: '' },
    { path: 'test/domain/matching.test.ts', text: '' },
    { path: 'src/build.d.ts', text: '' },
  ],
}

export const namedExports: Rule = {
  title: 'exports are named, none is the default',
  covers: (path) => isCode(path) && !path.endsWith('.d.ts'),
  offences: defaultExports,
  planted: [
    { path: 'src/a.ts', text: 'export default function f(): void {}' },
    { path: 'src/b.ts', text: 'const b = 1\nexport { b as default }' },
    { path: 'src/c.ts', text: "export { default } from './b.ts'" },
  ],
  innocent: [{ path: 'src/a.ts', text: "import sql from 'some-library'\nexport const a = sql" }],
}

export const noMutedTests: Rule = {
  title: 'no test is muted or singled out',
  covers: (path) => /^(test|bench)\//.test(path) && path.endsWith('.ts'),
  offences: mutedTests,
  planted: [
    'it.only',
    'test.skip',
    'describe.skip',
    'it.todo',
    'it.each([1]).only',
    'it.concurrent.skip',
  ].map((call) => ({ path: 'test/a.test.ts', text: `${call}('x', () => {})` })),
  innocent: [
    { path: 'test/a.test.ts', text: "it('skips', () => { tokens.skip(); expect(a.only).toBe(1) })" },
  ],
}

function defaultExports(file: SourceText): string[] {
  return nodesOf(file)
    .filter((node) => node.type === 'ExportDefaultDeclaration' || isExportedAsDefault(node))
    .map((node) => at(file, node.start, 'exports a default'))
}

function isExportedAsDefault(node: SyntaxNode): boolean {
  return node.type === 'ExportSpecifier' && isNode(node.exported) && node.exported.name === 'default'
}

function mutedTests(file: SourceText): string[] {
  return nodesOf(file)
    .filter((node) => node.type === 'MemberExpression')
    .map((node) => ({ start: node.start, chain: dotted(node) }))
    .filter(({ chain }) => /^(it|test|describe|suite|bench)\b.*\.(only|skip|todo)$/.test(chain))
    .map(({ start, chain }) => at(file, start, chain))
}
