import { parseAst } from 'vitest/node'
import type { SourceText } from './rule.ts'

/** A node of the ESTree syntax tree, including the TypeScript nodes. */
export type SyntaxNode = { type: string; start: number; end: number; [key: string]: unknown }

const trees = new Map<string, SyntaxNode[]>()

/** All nodes of the file in text order, outer before inner. */
export function nodesOf(file: SourceText): SyntaxNode[] {
  const known = trees.get(file.text)
  if (known !== undefined) return known
  const nodes: SyntaxNode[] = []
  collect(parseAst(file.text, { lang: 'ts' }), nodes)
  trees.set(file.text, nodes)
  return nodes
}

function collect(value: unknown, nodes: SyntaxNode[]): void {
  if (Array.isArray(value)) {
    for (const element of value) collect(element, nodes)
    return
  }
  if (!isNode(value)) return
  nodes.push(value)
  for (const child of Object.values(value)) collect(child, nodes)
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'
}

/** `a.b.c` for a chain of plain members, otherwise the part that has names; skips calls inside the chain. */
export function dotted(value: unknown): string {
  if (!isNode(value)) return ''
  if (value.type === 'Identifier') return String(value.name)
  if (value.type === 'CallExpression') return dotted(value.callee)
  if (value.type === 'ChainExpression') return dotted(value.expression)
  if (value.type === 'MemberExpression') return `${dotted(value.object)}.${dotted(value.property)}`
  return ''
}

/** The specifiers that a file imports or re-exports, including types. */
export function importsOf(file: SourceText): { specifier: string; start: number }[] {
  return nodesOf(file).flatMap((node) => {
    const source = node.source
    if (!isNode(source) || typeof source.value !== 'string') return []
    return [{ specifier: source.value, start: node.start }]
  })
}
