import { at, isSource, matches, type Rule, type SourceText } from './rule.ts'
import { dotted, importsOf, nodesOf, type SyntaxNode } from './syntax.ts'

const clockOrChance =
  /^((globalThis\.)?(Date|Date\.now|Math\.random)|((\w+\.)*crypto\.)?(randomUUID|randomBytes|randomInt|getRandomValues))$/

export const noClock: Rule = {
  title: 'domain and engine take time and identifiers from `work`, never from the machine',
  covers: (path) => /^src\/(domain|engine)\//.test(path),
  offences: clockOffences,
  planted: [
    { path: 'src/domain/a.ts', text: 'const now = new Date()' },
    { path: 'src/engine/a.ts', text: 'const now = Date.now()' },
    { path: 'src/domain/b.ts', text: 'const now = Date()' },
    { path: 'src/engine/b.ts', text: 'const id = randomUUID()' },
    { path: 'src/engine/c.ts', text: 'const id = globalThis.crypto.randomUUID()' },
    { path: 'src/domain/c.ts', text: 'const chance = Math.random()' },
    { path: 'src/domain/d.ts', text: 'const clock = Date.now' },
    { path: 'src/engine/d.ts', text: 'const id = v7()' },
  ],
  innocent: [
    { path: 'src/domain/a.ts', text: 'const time = new Date(text).getTime()' },
    { path: 'src/engine/a.ts', text: 'const id = work.newId()' },
    {
      path: 'src/engine/b.ts',
      text: 'const id = v7({ msecs: sources.clock(), random: sources.random(16) })',
    },
  ],
}

/** `io.ts` cleans what it writes; the others draw, on a terminal, texts that were cleaned before. */
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

export const oneTimer: Rule = {
  title: 'the tool waits by the one timer that takes any span',
  covers: (path) => /^src\/(cli|client)\//.test(path) && path !== 'src/client/sleep.ts',
  offences: (file) =>
    importsOf(file)
      .filter(({ specifier }) => /^(node:)?timers\/promises$/.test(specifier))
      .map(({ start }) => at(file, start, 'a timer that 25 days overflow')),
  planted: [{ path: 'src/cli/a.ts', text: "import { setTimeout as sleep } from 'node:timers/promises'" }],
  innocent: [{ path: 'src/client/sleep.ts', text: "import { setTimeout } from 'node:timers/promises'" }],
}

const statement =
  /^\s*(select\s[\s\S]*?\sfrom\s|with\s+(recursive\s+)?\w+\s+as\s*\(|insert\s+(or\s+\w+\s+)?into\s|update\s+\w+\s+set\s|delete\s+from\s|(create|drop|alter)\s+(virtual\s+|unique\s+|temp\s+)*(table|index|view|trigger)\s|pragma\s+\w+|begin\s+immediate)/
const drivers = /^(node:sqlite|pg|sql-template-tag)$/

export const noSqlElsewhere: Rule = {
  title: 'SQL stands in src/store and nowhere else',
  covers: (path) => isSource(path) && !path.startsWith('src/store/'),
  offences: sqlOffences,
  planted: [
    { path: 'src/engine/a.ts', text: 'tx.all(sql`select id from items`)' },
    { path: 'src/engine/b.ts', text: "run('INSERT INTO items VALUES (1)')" },
    { path: 'src/service/a.ts', text: 'run(`\n  update items set status = $' + '{s}`)' },
    { path: 'src/cli/a.ts', text: "db.exec('pragma journal_mode = wal')" },
    { path: 'src/engine/c.ts', text: "import sql from 'sql-template-tag'" },
    { path: 'src/cli/b.ts', text: "const { DatabaseSync } = await import('node:sqlite')" },
  ],
  innocent: [
    { path: 'src/cli/a.ts', text: "option('--status', 'Select items from one status only')" },
    { path: 'src/engine/a.ts', text: "conflict('Update the manifest and set its reference.')" },
  ],
}

function clockOffences(file: SourceText): string[] {
  return nodesOf(file)
    .filter(readsClockOrChance)
    .map((node) => at(file, node.start, file.text.slice(node.start, node.end)))
}

function readsClockOrChance(node: SyntaxNode): boolean {
  if (node.type === 'NewExpression') return isBare(node) && dotted(node.callee) === 'Date'
  if (node.type === 'MemberExpression') return /\./.test(dotted(node)) && clockOrChance.test(dotted(node))
  if (node.type !== 'CallExpression') return false
  return clockOrChance.test(dotted(node.callee)) || (isBare(node) && /^v\d$/.test(dotted(node.callee)))
}

/** Without arguments `new Date` reads the clock, and uuid's `v7` the clock and chance. */
function isBare(node: SyntaxNode): boolean {
  return (node.arguments as unknown[]).length === 0
}

/** SQL is written in one case; prose that happens to say "Select ... from" begins with one capital. */
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
