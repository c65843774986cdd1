import { checkSync } from 'recheck'
import recheck from 'recheck/package.json' with { type: 'json' }
import { judgedRight } from '../support/judged.ts'
import { at, isSource, type Rule, type SourceText } from './rule.ts'
import { dotted, nodesOf, type SyntaxNode } from './syntax.ts'

// In this process, so that nothing is started and every machine behaves the same.
process.env.RECHECK_BACKEND = 'pure'
process.env.RECHECK_SYNC_BACKEND = 'pure'

type Expression = { pattern: string; flags: string }

/** Milliseconds per expression, far more than a busy machine needs: the slowest of the project takes half a second of CPU. */
const timeout = 60_000

const safe = judgedRight(`safe-expressions-${recheck.version}`)

export const linearExpressions: Rule = {
  title: 'a regular expression takes time in proportion to its text, whatever the text',
  covers: isSource,
  offences: slowExpressions,
  planted: [
    'const measure = /^[+-]?(?:\\d+\\.?\\d*|\\.\\d+)$/',
    'const charset = /^\\s*c\\s*=\\s*"?([^"\\s]*)"?\\s*$/i',
    'const dots = text.replace(/\\.+$/, "")',
    'const words = /^(\\w+\\s?)*$/',
    'const marked = /: are (.*)$/',
    'const either = /^a+x|b+x$/',
    'const ahead = /\\s+x(?!\\w)/',
    'const made = new RegExp(text)',
    'const made = RegExp(text)',
    'const made = new RegExp(`$' + '{one.source}+y`)',
  ].map((text) => ({ path: 'src/domain/a.ts', text })),
  innocent: [
    'const digits = /^\\d+$/',
    'const code = /[0-9A-Z]{5}/',
    'const run = new RegExp(`$' + '{one.source}+`, "gv")',
    'const rest = /: the columns are (.*)$/s',
    'const words = text.match(/\\d+\\.\\d+(?![\\p{L}\\p{N}])|[\\p{L}\\p{N}]+/gu)',
  ].map((text) => ({ path: 'src/domain/a.ts', text })),
}

function slowExpressions(file: SourceText): string[] {
  return nodesOf(file).flatMap((node) => {
    const made = expressionOf(node)
    if (made === undefined) return []
    const fault = made === 'unknown' ? 'is not known before it runs' : faultOf(made)
    return fault === undefined
      ? []
      : [at(file, node.start, `${file.text.slice(node.start, node.end)} ${fault}`)]
  })
}

function expressionOf(node: SyntaxNode): Expression | 'unknown' | undefined {
  if (node.type === 'Literal' && node.regex !== undefined) return node.regex as Expression
  if (!/^(New|Call)Expression$/.test(node.type) || dotted(node.callee) !== 'RegExp') return undefined
  const [text, flags] = node.arguments as SyntaxNode[]
  if (text?.type !== 'TemplateLiteral') return 'unknown'
  // The sources of other expressions, which are judged where they are defined: each counts as one character.
  const isOfSources = (text.expressions as SyntaxNode[]).every((part) => /\.source$/.test(dotted(part)))
  if (!isOfSources) return 'unknown'
  const pattern = (text.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('x')
  return { pattern, flags: String(flags?.value ?? '') }
}

/**
 * What is wrong with an expression. Its alternatives are tried one after the other, so their times add up: if each alone is
 * linear, so is the whole, which takes far longer to judge. One that is not may never be tried where another one matches.
 */
function faultOf({ pattern, flags }: Expression): string | undefined {
  const alternatives = alternativesOf(pattern)
  if (alternatives.every((alternative) => faultOfPattern(alternative, flags) === undefined)) return undefined
  return faultOfPattern(pattern, flags)
}

function alternativesOf(pattern: string): string[] {
  const alternatives = ['']
  let depth = 0
  for (const [part] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|./gs)) {
    if (part === '(') depth += 1
    if (part === ')') depth -= 1
    if (part === '|' && depth === 0) alternatives.push('')
    else alternatives[alternatives.length - 1] += part
  }
  return alternatives
}

/** A glance is enough for most; recheck takes a few milliseconds for each, or hundreds. */
function faultOfPattern(pattern: string, flags: string): string | undefined {
  if (isPlainlyLinear(pattern, flags)) return undefined
  const taken = `/${asTaken(pattern)}/${flags}`
  if (safe.has(taken)) return undefined
  const judged = checkSync(asTaken(pattern), flags, { checker: 'automaton', timeout })
  if (judged.status === 'safe') return void safe.add(taken)
  return judged.status === 'vulnerable' ? `is ${judged.complexity.summary}` : 'cannot be judged'
}

/**
 * The result of a glance. A repetition at the very end cannot fail. Of the others there may be none, or one if the expression
 * can begin at one place only: each of its lengths is tried once, and the rest has a length of its own.
 */
function isPlainlyLinear(pattern: string, flags: string): boolean {
  const shape = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/g, 'x')
  if (/\)[*+{]/.test(shape) || /\\[1-9k]/.test(pattern)) return false
  const untilEnd = flags.includes('s') ? shape.replace(/\.\*\)?\$$/, '') : shape
  const loops = untilEnd.replace(/[*+]\)?$/, '').match(/[*+]|\{\d+,\}/g)?.length ?? 0
  return loops === 0 || (loops === 1 && beginsAtOnePlace(shape) && !flags.includes('m'))
}

function beginsAtOnePlace(shape: string): boolean {
  const outside = shape.replaceAll(/\([^()]*\)/g, 'x').replaceAll(/\([^()]*\)/g, 'x')
  return /^\^[^|]*$/.test(outside)
}

/** A lookahead at one character, or at the end, is judged as if it consumed it: automata know nothing else. */
function asTaken(pattern: string): string {
  return pattern
    .replaceAll(/\(\?!\[((?:\\.|[^\]\\])*)\]\)/g, '(?:[^$1]|$)')
    .replaceAll(/\(\?!(\\.(?:\{\w+\})?)\)/g, '(?:[^$1]|$)')
    .replace(/\(\?=((?:\([^()]*\)|[^()])*)\)$/, '(?:$1)')
}
