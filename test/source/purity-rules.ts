import { at, isSource, matches, type Rule, type SourceText } from './rule.ts'
import { dotted, importsOf, nodesOf, type SyntaxNode } from './syntax.ts'

/** Under whatever name it is imported. */
const timeModules = /^(node:)?timers\b/
const timeOrChance =
  /^(set(Timeout|Interval|Immediate)|performance|hrtime|random(UUID|Bytes|Int|Fill|FillSync)|getRandomValues)$/
const timeOrChanceOf =
  /^(globalThis\.)?(Date|Date\.now|Math\.random|Atomics\.wait(Async)?|AbortSignal\.timeout|process\.(uptime|nextTick))$/

export const oneRuntime: Rule = {
  title: 'time, timers and chance come from src/runtime',
  covers: (path) => isSource(path) && path !== 'src/runtime/runtime.ts',
  offences: runtimeOffences,
  planted: [
    { path: 'src/domain/a.ts', text: 'const now = new Date()' },
    { path: 'src/engine/a.ts', text: 'const now = Date.now()' },
    { path: 'src/domain/b.ts', text: 'const now = Date()' },
    { path: 'src/cli/a.ts', text: 'const clock = Date.now' },
    { path: 'src/domain/c.ts', text: 'const chance = Math.random()' },
    { path: 'src/engine/b.ts', text: 'const id = randomUUID()' },
    { path: 'src/engine/c.ts', text: 'const id = globalThis.crypto.randomUUID()' },
    { path: 'src/store/a.ts', text: "import { randomBytes } from 'node:crypto'" },
    { path: 'src/engine/d.ts', text: 'const id = v7()' },
    { path: 'src/service/a.ts', text: 'const timer = setTimeout(ring, 5)' },
    { path: 'src/service/b.ts', text: "import { setTimeout as sleep } from 'node:timers/promises'" },
    { path: 'src/service/c.ts', text: 'const started = performance.now()' },
    { path: 'src/service/d.ts', text: 'const started = process.hrtime()' },
    { path: 'src/store/b.ts', text: 'await new Promise((resolve) => setImmediate(resolve))' },
    { path: 'src/store/c.ts', text: 'Atomics.wait(cell, 0, 0, 5)' },
    { path: 'src/client/a.ts', text: 'const signal = AbortSignal.timeout(5)' },
    { path: 'src/runtime/other.ts', text: 'const seconds = process.uptime()' },
  ],
  innocent: [
    { path: 'src/domain/a.ts', text: 'const time = new Date(text).getTime()' },
    { path: 'src/engine/a.ts', text: 'const id = work.newId()' },
    {
      path: 'src/engine/b.ts',
      text: 'const id = v7({ msecs: sources.clock(), random: sources.random(16) })',
    },
    { path: 'src/service/a.ts', text: 'const callOff = runtime.after(5, ring)' },
  ],
}

/** In the engine, only `yieldToEventLoop` may use the machine's turn: its rules get `work.now` and `work.newId()`. */
export const rulesAreTold: Rule = {
  title: 'the rules of the engine are told the time, and ask no machine',
  covers: (path) => path.startsWith('src/engine/') && path !== 'src/engine/yield-to-event-loop.ts',
  offences: (file) =>
    importsOf(file)
      .filter(({ specifier }) => /\/runtime\//.test(specifier))
      .map(({ start }) => at(file, start, 'the machine')),
  planted: [{ path: 'src/engine/a.ts', text: "import { runtime } from '../runtime/runtime.ts'" }],
  innocent: [
    { path: 'src/engine/yield-to-event-loop.ts', text: "import { runtime } from '../runtime/runtime.ts'" },
  ],
}

/** `io.ts` cleans what it writes; the others draw cleaned texts, in a terminal. */
const outlets = /^src\/cli\/(base\/io|ask\/ask|ask\/confirm|output\/spinner)\.ts$/

export const noOtherOutlet: Rule = {
  title: 'nothing but the outlet of base/io.ts writes to stdout and stderr',
  covers: (path) => path.startsWith('src/cli/') && !outlets.test(path),
  offences: (file) =>
    matches(
      file,
      /\bprocess\.std(out|err)\b|\bconsole\.|\bwrite(Sync)?\([12],/g,
      'another way to the terminal',
    ),
  planted: [
    { path: 'src/cli/a.ts', text: 'process.stdout.write(text)' },
    { path: 'src/cli/b.ts', text: 'const { stderr } = { stderr: process.stderr }' },
    { path: 'src/cli/c.ts', text: 'console.log(name)' },
    { path: 'src/cli/d.ts', text: 'writeSync(2, message)' },
  ],
  innocent: [
    { path: 'src/cli/a.ts', text: 'io.out.write(text)' },
    { path: 'src/cli/base/io.ts', text: 'outletOf(1, () => process.stdout)' },
  ],
}

const statement =
  /^\s*(select\s[\s\S]*?\sfrom\s|with\s+(recursive\s+)?\w+\s+as\s*\(|insert\s+(or\s+\w+\s+)?into\s|update\s+\w+\s+set\s|delete\s+from\s|(create|drop|alter)\s+(virtual\s+|unique\s+|temp\s+)*(table|index|view|trigger)\s|pragma\s+\w+|begin\s+immediate)/
const drivers = /^(node:sqlite|pg)$|\/store\/sql\.ts$/

export const noSqlElsewhere: Rule = {
  title: 'SQL stands in src/store and nowhere else',
  covers: (path) => isSource(path) && !path.startsWith('src/store/'),
  offences: sqlOffences,
  planted: [
    { path: 'src/engine/a.ts', text: 'tx.all(sql`select id from items`)' },
    { path: 'src/engine/b.ts', text: "run('INSERT INTO items VALUES (1)')" },
    { path: 'src/service/a.ts', text: 'run(`\n  update items set status = $' + '{s}`)' },
    { path: 'src/cli/a.ts', text: "db.exec('pragma journal_mode = wal')" },
    { path: 'src/engine/c.ts', text: "import { sql } from '../store/sql.ts'" },
    { path: 'src/cli/b.ts', text: "const { DatabaseSync } = await import('node:sqlite')" },
  ],
  innocent: [
    { path: 'src/cli/a.ts', text: "option('--status', 'Select items from one status only')" },
    { path: 'src/engine/a.ts', text: "conflict('Update the manifest and set its reference.')" },
  ],
}

function runtimeOffences(file: SourceText): string[] {
  const imports = importsOf(file)
    .filter(({ specifier }) => timeModules.test(specifier))
    .map(({ specifier, start }) => at(file, start, `imports ${specifier}`))
  const uses = nodesOf(file)
    .filter(readsTimeOrChance)
    .map((node) => at(file, node.start, file.text.slice(node.start, node.end)))
  return [...imports, ...uses]
}

function readsTimeOrChance(node: SyntaxNode): boolean {
  if (node.type === 'Identifier') return timeOrChance.test(String(node.name))
  if (node.type === 'NewExpression') return isBare(node) && dotted(node.callee) === 'Date'
  if (node.type === 'MemberExpression') return /\./.test(dotted(node)) && timeOrChanceOf.test(dotted(node))
  if (node.type !== 'CallExpression') return false
  return dotted(node.callee) === 'Date' || (isBare(node) && /^v\d$/.test(dotted(node.callee)))
}

/** Without arguments `new Date` reads the clock, and uuid's `v7` the clock and random numbers. */
function isBare(node: SyntaxNode): boolean {
  return (node.arguments as unknown[]).length === 0
}

/** SQL is written in one case; prose such as "Select ... from" begins with one capital. */
function sqlOffences(file: SourceText): string[] {
  const imports = importsOf(file)
    .filter(({ specifier }) => drivers.test(specifier))
    .map(({ specifier, start }) => at(file, start, `imports ${specifier}`))
  const texts = nodesOf(file)
    .map((node) => ({ start: node.start, text: literalText(node) }))
    .filter(({ text }) => statement.test(text) || statement.test(lowerIfUpper(text)))
    .map(({ start, text }) => at(file, start, text.trim().slice(0, 60)))
  return [...imports, ...texts]
}

function literalText(node: SyntaxNode): string {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateElement') return (node.value as { raw: string }).raw
  return ''
}

function lowerIfUpper(text: string): string {
  const [first = ''] = text.trim().split(/\s/)
  return first === first.toUpperCase() ? text.toLowerCase() : ''
}
