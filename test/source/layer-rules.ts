import { posix } from 'node:path'
import { at, isSource, type Rule, type SourceText } from './rule.ts'
import { dotted, importsOf, isNode, nodesOf, type SyntaxNode } from './syntax.ts'

/** The folders of src that each folder may import, including itself. */
const reach: Record<string, string[]> = {
  runtime: ['runtime'],
  contract: ['contract'],
  domain: ['contract', 'domain'],
  store: ['runtime', 'contract', 'domain', 'store'],
  engine: ['runtime', 'contract', 'domain', 'store', 'engine'],
  service: ['runtime', 'contract', 'domain', 'store', 'engine', 'service'],
  client: ['runtime', 'contract', 'client'],
  testing: ['runtime', 'contract', 'domain', 'store', 'engine', 'service', 'client', 'testing'],
  // The local check of an import is the same pure rules that the service applies (docs/decisions.md).
  cli: ['runtime', 'contract', 'domain', 'client', 'cli', 'conformance'],
  conformance: ['runtime', 'contract', 'client', 'conformance'],
}

/** The folders that reach a target, and the commands that open a database themselves. */
const opensDatabase =
  /^src\/cli\/(connection|database|commands\/(serve|demo\.ts|conformance|warehouse|admin|db))\b/

export const layers: Rule = {
  title: 'a folder of src imports only from the layers below it',
  covers: isSource,
  offences: layerOffences,
  planted: [
    { path: 'src/contract/a.ts', text: "import { b } from '../domain/b.ts'" },
    { path: 'src/domain/a.ts', text: "import type { B } from '../store/b.ts'" },
    { path: 'src/domain/b.ts', text: "import { runtime } from '../runtime/runtime.ts'" },
    { path: 'src/store/a.ts', text: "export { b } from '../engine/b.ts'" },
    { path: 'src/engine/a.ts', text: "const b = await import('../service/b.ts')" },
    { path: 'src/client/a.ts', text: "export * from '../domain/b.ts'" },
    { path: 'src/cli/commands/items/show.ts', text: "import { b } from '../../../engine/items.ts'" },
    { path: 'src/cli/commands/database.ts', text: "import { b } from '../../store/database.ts'" },
    { path: 'src/service/a.ts', text: "import { b } from '../../test/support/b.ts'" },
    { path: 'src/extras/a.ts', text: "import { b } from './b.ts'" },
  ],
  innocent: [
    { path: 'src/service/a.ts', text: "import { b } from '../store/b.ts'" },
    { path: 'src/cli/commands/items/show.ts', text: "import { b } from '../../../client/client.ts'" },
    { path: 'src/cli/connection/connect.ts', text: "import { b } from '../service/service.ts'" },
    { path: 'src/cli/commands/db/check.ts', text: "import { b } from '../../../store/check.ts'" },
    { path: 'src/cli/commands/demo.ts', text: "import csv from '../../../fixtures/products.csv'" },
  ],
}

export const processesByExeca: Rule = {
  title: 'tests start processes with execa',
  covers: (path) => /^test\/.*\.(ts|mjs)$/.test(path),
  offences: (file) =>
    importsOf(file)
      .filter(({ specifier }) => /^(node:)?child_process$/.test(specifier))
      .map(({ start }) => at(file, start, 'starts processes without execa')),
  planted: [
    { path: 'test/service/a.test.ts', text: "import { spawn } from 'node:child_process'" },
    { path: 'test/generators/a.mjs', text: "const { fork } = await import('child_process')" },
  ],
  innocent: [{ path: 'test/service/a.test.ts', text: "import { execaNode } from 'execa'" }],
}

/** Modules that only compute: contract and domain import these and each other. */
const pureModules: Record<string, string[]> = {
  contract: ['zod/mini', 'zod/v4/core'],
  domain: ['csv-parse/sync', 'node:buffer'],
}

/** Gives the rules Node.js functions that only compute; it alone may load these modules. */
const computing = 'src/domain/computing.ts'
const computingModules = ['node:crypto', 'node:net']

/** Values through which a rule reaches beyond its arguments without an import. */
const ambient =
  /^(process|global|globalThis|require|module|getBuiltinModule|eval|Function|console|fetch|WebSocket|EventSource|BroadcastChannel|WebAssembly|navigator|localStorage|sessionStorage)$/

/** One offender of each kind, planted in both folders. */
const impure = [
  "import { createRequire } from 'node:module'",
  "import { runInNewContext } from 'node:vm'",
  "import { setFlagsFromString } from 'node:v8'",
  "import { Session } from 'node:inspector'",
  "import { readFileSync } from 'node:fs'",
  "import Conf from 'conf'",
  "import { input } from '@inquirer/prompts'",
  "export { readFileSync } from 'node:fs'",
  "export * from 'undici'",
  "import fs = require('node:fs')",
  "const fs = require('node:fs')",
  "const fs = module.require('node:fs')",
  "const reply = await fetch('https://example.com')",
  "const fs = await import('node:fs')",
  "const fs = process.getBuiltinModule('node:fs')",
  'const load = getBuiltinModule',
  'process.exit()',
  'const own = { process }',
  'const { process } = around',
  'const env = globalThis.process.env',
  "const load = globalThis['fetch']",
  'const env = global.process.env',
  "const own = global['process']",
  "const own = eval('process')",
  "const own = new Function('return process')()",
  "const own = read.constructor('return process')()",
  "const own = read['constructor']('return process')()",
  "console.log('read')",
  "const socket = new WebSocket('ws://localhost')",
  "const source = new EventSource('http://localhost')",
  "const channel = new BroadcastChannel('custody')",
]

export const noInputOutput: Rule = {
  title: 'contract and domain do no input or output, and reach nothing that could',
  covers: (path) => /^src\/(contract|domain)\//.test(path),
  offences: purityOffences,
  planted: [
    { path: 'src/contract/a.ts', text: "import { readFile } from 'fs/promises'" },
    { path: 'src/domain/b.ts', text: "import { request } from 'undici'" },
    { path: 'src/domain/webhooks/b.ts', text: "import { connect } from 'node:net'" },
    { path: 'src/domain/webhooks/webhook-address.ts', text: "import { lookup } from 'node:dns'" },
    { path: 'src/domain/c.ts', text: "if (process.env.CUSTODY_FAST === '1') skip()" },
    { path: 'src/contract/d.ts', text: 'const later = () => import(module)' },
    { path: 'src/domain/f.ts', text: 'const { env } = globalThis' },
    ...['contract', 'domain'].flatMap((layer) =>
      impure.map((text, index) => ({ path: `src/${layer}/impure-${index}.ts`, text })),
    ),
    { path: 'src/contract/e.ts', text: "import { parse } from 'csv-parse/sync'" },
    { path: 'src/domain/g.ts', text: "import { toJSONSchema } from 'zod/v4/core'" },
    { path: 'src/domain/h.ts', text: "import { createHash } from 'node:crypto'" },
    { path: computing, text: "import { readFileSync } from 'node:fs'" },
    { path: computing, text: "import { connect } from 'node:net'" },
    { path: computing, text: "const fs = process.getBuiltinModule('node:fs')" },
    { path: computing, text: 'const any = process.getBuiltinModule(name)' },
    { path: computing, text: "const later = process['getBuiltinModule']('node:crypto')" },
    { path: computing, text: 'const get = process.getBuiltinModule' },
    { path: computing, text: "const { hash } = await import('node:crypto')" },
    { path: computing, text: 'process.exit()' },
    { path: computing, text: 'const value = eval(text)' },
  ],
  innocent: [
    { path: 'src/contract/a.ts', text: "import { toJSONSchema } from 'zod/v4/core'" },
    { path: 'src/domain/a.ts', text: "import { isUtf8 } from 'node:buffer'" },
    { path: 'src/domain/b.ts', text: "import type { Item } from '../contract/resources/item.ts'" },
    { path: 'src/domain/c.ts', text: 'const lists = { global: listOf(ipv6) }\nlists.global.check(address)' },
    { path: computing, text: "const { hash } = process.getBuiltinModule('node:crypto')" },
    { path: computing, text: "type Net = typeof import('node:net')" },
  ],
}

function purityOffences(file: SourceText): string[] {
  const nodes = nodesOf(file)
  const isComputing = file.path === computing
  const modules = isComputing ? [] : (pureModules[file.path.split('/')[1]!] ?? [])
  const passed = new Set(nodes.map(memberName))
  if (isComputing) for (const node of nodes) passed.add(loaderOf(node))
  // `import('node:net')` in a type loads nothing; as a value it is rejected as ambient.
  return [
    ...importsOf(file)
      .filter(({ specifier }) => !specifier.startsWith('.') && !modules.includes(specifier))
      .filter(({ start }) => !(isComputing && file.text.startsWith('import(', start)))
      .map(({ specifier, start }) => at(file, start, `imports ${specifier}`)),
    ...nodes
      .filter((node) => !passed.has(node) && isAmbient(node))
      .map((node) => at(file, node.start, file.text.slice(node.start, node.end))),
  ]
}

function isAmbient(node: SyntaxNode): boolean {
  if (node.type === 'Identifier') return ambient.test(String(node.name))
  if (node.type === 'MemberExpression') return isConstructor(node.property)
  return node.type === 'ImportExpression' || node.type === 'TSExternalModuleReference'
}

/** Any function's constructor compiles text, as `Function` does. */
function isConstructor(property: unknown): boolean {
  return isNode(property) && (property.name === 'constructor' || property.value === 'constructor')
}

/** `global` in `lists.global` and in `{ global: lists }` is a member's name, not a value. */
function memberName(node: SyntaxNode): unknown {
  if (node.computed === true) return undefined
  if (node.type === 'MemberExpression') return node.property
  return node.type === 'Property' || node.type === 'TSPropertySignature' ? node.key : undefined
}

/** `process` if it loads one of the modules that only compute. */
function loaderOf(node: SyntaxNode): unknown {
  const { callee, arguments: given } = node as { callee?: unknown; arguments?: SyntaxNode[] }
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.computed === true) return undefined
  if (!isNode(callee.object) || callee.object.type !== 'Identifier') return undefined
  if (dotted(callee) !== 'process.getBuiltinModule') return undefined
  return computingModules.includes(String(given?.[0]?.value)) ? callee.object : undefined
}

function layerOffences(file: SourceText): string[] {
  const layer = file.path.split('/')[1] ?? ''
  const allowed = reach[layer]
  if (allowed === undefined) return [`${file.path} is in no folder that the architecture knows`]
  if (opensDatabase.test(file.path)) return []
  return importsOf(file)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, start }) => ({ start, target: posix.join(posix.dirname(file.path), specifier) }))
    .filter(({ target }) => !allowed.some((name) => target.startsWith(`src/${name}/`)) && !isData(target))
    .map(({ target, start }) => at(file, start, `imports ${target}`))
}

function isData(target: string): boolean {
  return target.startsWith('fixtures/') || target === 'package.json'
}
