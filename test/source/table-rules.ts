import { posix } from 'node:path'
import { at, isSource, type SourceText } from './rule.ts'
import { importsOf, isNode, nodesOf, type SyntaxNode } from './syntax.ts'
import type { TreeRule } from './tree-rules.ts'

/** Tables whose keys are our own names. */
const covered = (path: string): boolean => isSource(path) && !path.startsWith('src/store/migrations/')

/** The names of tables at a file's top level: literals whose keys are any text. */
function tablesOf(file: SourceText): string[] {
  return nodesOf(file)
    .filter(({ type }) => type === 'VariableDeclarator')
    .filter(({ init }) => isNode(init) && init.type === 'ObjectExpression')
    .flatMap(({ id }) => (isNode(id) && isKeyedByText(file, id) ? [String(id.name)] : []))
    .filter((name) => new RegExp(`^(export )?const ${name}\\b`, 'm').test(file.text))
}

function isKeyedByText({ text }: SourceText, { typeAnnotation }: SyntaxNode): boolean {
  if (!isNode(typeAnnotation)) return false
  const written = text.slice(typeAnnotation.start, typeAnnotation.end)
  return /^:\s*(Readonly<|Partial<)*Record<\s*string,/.test(written)
}

function offencesOf(file: SourceText, files: ReadonlyMap<string, SourceText>): string[] {
  const imported = importsOf(file).flatMap(({ specifier }) => {
    const source = files.get(posix.join(posix.dirname(file.path), specifier))
    return source && isSource(source.path) ? tablesOf(source) : []
  })
  const tables = new Set([...tablesOf(file), ...imported])
  return nodesOf(file)
    .filter((node) => node.type === 'MemberExpression' && node.computed === true)
    .filter(
      ({ object, property }) => isTable(object, tables) && isNode(property) && property.type !== 'Literal',
    )
    .map(({ start, end }) =>
      at(file, start, `a lookup that finds inherited names: ${file.text.slice(start, end)}`),
    )
}

function isTable(object: unknown, tables: ReadonlySet<string>): boolean {
  return isNode(object) && object.type === 'Identifier' && tables.has(String(object.name))
}

export const ownEntriesOnly: TreeRule = {
  title: 'tables whose keys are any text are looked up by own() of contract/own.ts',
  offences(files) {
    const byPath = new Map(files.map((file) => [file.path, file]))
    return files.filter(({ path }) => covered(path)).flatMap((file) => offencesOf(file, byPath))
  },
  planted: [
    [
      {
        path: 'src/cli/a.ts',
        text: 'const endings: Readonly<Record<string, number>> = { ok: 0 }\nexport const b = (code: string) => endings[code]',
      },
    ],
    [
      {
        path: 'src/cli/b.ts',
        text: "import { names } from './names.ts'\nexport const c = (word: string) => names[word]",
      },
      { path: 'src/cli/names.ts', text: "export const names: Record<string, string> = { a: 'b' }" },
    ],
  ],
  innocent: [
    [
      {
        path: 'src/cli/a.ts',
        text: 'const endings: Record<string, number> = { ok: 0 }\nexport const b = (code: string) => own(endings, code)',
      },
      {
        path: 'src/cli/b.ts',
        text: "const known: Record<'a', number> = { a: 0 }\nexport const b = (a: 'a') => known[a]",
      },
      {
        path: 'src/cli/c.ts',
        text: "const known: Record<string, number> = { a: 0 }\nexport const b = known['a']",
      },
    ],
  ],
}
