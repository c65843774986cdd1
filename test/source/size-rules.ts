import { at, isCode, type Rule, type SourceText } from './rule.ts'
import { dotted, nodesOf, type SyntaxNode } from './syntax.ts'

const fileLinesMax = 400
const functionLinesMax = 60

/** Prose and tables: readers look up a row and read no further. */
const isTable = (path: string): boolean => /^src\/contract\/(document|operations|resources)\//.test(path)

export const fileSize: Rule = {
  title: `no file but the contract's prose and tables has more than ${fileLinesMax} lines`,
  covers: (path) => isCode(path) && !isTable(path),
  offences: (file) => (lines(file.text) > fileLinesMax ? [`${file.path} has ${lines(file.text)} lines`] : []),
  planted: [{ path: 'src/domain/long.ts', text: 'const a = 1\n'.repeat(fileLinesMax + 1) }],
  innocent: [{ path: 'src/domain/fits.ts', text: 'const a = 1\n'.repeat(fileLinesMax) }],
}

export const functionSize: Rule = {
  title: `no function has more than ${functionLinesMax} lines`,
  covers: isCode,
  offences: longFunctions,
  planted: [
    { path: 'src/a.ts', text: `export function f(): void {\n${'  g()\n'.repeat(59)}}\n` },
    { path: 'src/b.ts', text: `const f = async (x: number) => {\n${'  g()\n'.repeat(59)}}\n` },
    { path: 'src/c.ts', text: `class C {\n  m(): void {\n${'    g()\n'.repeat(59)}  }\n}\n` },
    { path: 'test/d.ts', text: `it('x', () => {\n${'  g()\n'.repeat(59)}})\n` },
  ],
  innocent: [
    { path: 'src/a.ts', text: `export function f(): void {\n${'  g()\n'.repeat(58)}}\n` },
    { path: 'test/e.ts', text: `describe('x', () => {\n${'  g()\n'.repeat(90)}})\n` },
    { path: 'test/f.ts', text: `describe.each([1])('x', () => {\n${'  g()\n'.repeat(90)}})\n` },
  ],
}

function lines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

function longFunctions(file: SourceText): string[] {
  const nodes = nodesOf(file)
  const groups = new Set(nodes.filter(isDescribe).flatMap((node) => node.arguments as SyntaxNode[]))
  return nodes
    .filter((node) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type))
    .filter((node) => !groups.has(node))
    .map((node) => ({ start: node.start, length: lines(file.text.slice(node.start, node.end)) }))
    .filter(({ length }) => length > functionLinesMax)
    .map(({ start, length }) => at(file, start, `a function of ${length} lines`))
}

/** A group of tests is a heading over functions, not a function. */
function isDescribe(node: SyntaxNode): boolean {
  return node.type === 'CallExpression' && /^describe\b/.test(dotted(node.callee))
}
