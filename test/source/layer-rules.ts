import { posix } from 'node:path'
import { at, isSource, type Rule, type SourceText } from './rule.ts'
import { importsOf, nodesOf, type SyntaxNode } from './syntax.ts'

/** Who may import whom: the folders of src that a folder may reach, itself included. */
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
    { path: 'src/cli/commands/items/ls.ts', text: "import { b } from '../../../engine/items.ts'" },
    { path: 'src/cli/commands/database.ts', text: "import { b } from '../../store/database.ts'" },
    { path: 'src/service/a.ts', text: "import { b } from '../../test/support/b.ts'" },
    { path: 'src/extras/a.ts', text: "import { b } from './b.ts'" },
  ],
  innocent: [
    { path: 'src/service/a.ts', text: "import { b } from '../store/b.ts'" },
    { path: 'src/cli/commands/items/ls.ts', text: "import { b } from '../../../client/client.ts'" },
    { path: 'src/cli/connection/connect.ts', text: "import { b } from '../service/service.ts'" },
    { path: 'src/cli/commands/db/check.ts', text: "import { b } from '../../../store/check.ts'" },
    { path: 'src/cli/commands/demo.ts', text: "import csv from '../../../fixtures/products.csv'" },
  ],
}

/** Modules by which a rule could reach beyond its arguments. */
const inputOutput =
  /^(node:)?(fs|http|https|http2|net|tls|dns|dgram|child_process|worker_threads|cluster|os|process|sqlite|readline|timers)\b|^(undici|fastify|pg|pino)\b/

/** Gives the rules those functions of Node.js that only compute, and is named by no other exception. */
const computing = 'src/domain/computing.ts'
/** Values through which a rule reaches beyond its arguments without an import at its top. */
const ambient = /^(process|globalThis|require|getBuiltinModule|fetch)$/

export const noInputOutput: Rule = {
  title: 'contract and domain do no input or output, and reach nothing that could',
  covers: (path) => /^src\/(contract|domain)\//.test(path),
  offences: (file) => [
    ...importsOf(file)
      .filter(({ specifier }) => inputOutput.test(specifier) && file.path !== computing)
      .map(({ specifier, start }) => at(file, start, `imports ${specifier}`)),
    ...nodesOf(file)
      .filter((node) => file.path !== computing && isAmbient(node))
      .map((node) => at(file, node.start, file.text.slice(node.start, node.end))),
  ],
  planted: [
    { path: 'src/domain/a.ts', text: "import { readFileSync } from 'node:fs'" },
    { path: 'src/contract/a.ts', text: "import { readFile } from 'fs/promises'" },
    { path: 'src/domain/b.ts', text: "import { request } from 'undici'" },
    { path: 'src/domain/webhooks/b.ts', text: "import { connect } from 'node:net'" },
    { path: 'src/domain/webhooks/webhook-address.ts', text: "import { lookup } from 'node:dns'" },
    { path: 'src/domain/c.ts', text: "if (process.env.CUSTODY_FAST === '1') skip()" },
    { path: 'src/domain/d.ts', text: "const fs = process.getBuiltinModule('node:fs')" },
    { path: 'src/domain/e.ts', text: "const fs = getBuiltinModule('node:fs')" },
    { path: 'src/contract/b.ts', text: 'const env = globalThis.process.env' },
    { path: 'src/contract/c.ts', text: "const { readFileSync } = await import('node:fs')" },
    { path: 'src/contract/d.ts', text: 'const later = () => import(module)' },
    { path: 'src/domain/f.ts', text: 'const { env } = globalThis' },
  ],
  innocent: [
    { path: 'src/domain/a.ts', text: "import { createHash } from 'node:crypto'" },
    { path: computing, text: "const { hash } = process.getBuiltinModule('node:crypto')" },
  ],
}

function isAmbient(node: SyntaxNode): boolean {
  return node.type === 'ImportExpression' || (node.type === 'Identifier' && ambient.test(String(node.name)))
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
