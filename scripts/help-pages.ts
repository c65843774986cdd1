// Renders the help of every command as docs/commands.md and as man pages; docs.ts writes the files.
import type { Io } from '../src/cli/base/io.ts'
import type { Group, Load, Nouns } from '../src/cli/command.ts'

/** A help page by its headings; `text` comes before the first one. */
type Page = { words: string[]; usage: string; text: string; sections: Map<string, string> }

/** Sections that most commands share: shown once. */
const common = ['Output', 'Target', 'Other options']

export async function commandsPage(nouns: Nouns): Promise<string> {
  const parts = [
    '# Commands',
    'Every command with its own arguments and options. The options that all commands share come first. `npm run docs` writes this page from the program’s help.',
  ]
  const shared = pageOf(['items', 'ls'], await helpOf(['items', 'ls']))
  for (const heading of common) parts.push(`## ${heading}`, fenced(shared.sections.get(heading)))
  for (const [name, noun] of Object.entries(nouns)) {
    if (noun.isHidden) continue
    parts.push(`## custody ${name}`)
    for (const words of wordsOf({ [name]: noun })) {
      const page = pageOf(words, await helpOf(words))
      if (page.sections.has('Commands')) continue
      parts.push(`### ${words.join(' ')}`, page.text, fenced(`Usage: ${page.usage}\n${ownSections(page)}`))
    }
  }
  return `${parts.join('\n\n')}\n`
}

/** A man page for the program and one for each command, by file name. */
export async function manPages(nouns: Nouns, version: string): Promise<ReadonlyMap<string, string>> {
  const pages = new Map<string, string>()
  for (const words of [[], ...wordsOf(nouns)]) {
    const page = pageOf(words, await helpOf(words))
    pages.set(`${['custody', ...words].join('-')}.1`, manPage(page, version))
  }
  return pages
}

/** The words of every group and command, groups first. */
function wordsOf(nouns: Nouns): string[][] {
  return Object.entries(nouns).flatMap(([name, noun]) =>
    noun.isHidden ? [] : [[name], ...('load' in noun ? [] : wordsBelow([name], noun))],
  )
}

function wordsBelow(words: readonly string[], { verbs }: Group): string[][] {
  return Object.entries(verbs).flatMap(([verb, known]: [string, Load | Group]) => {
    const path = [...words, verb]
    return typeof known === 'function' ? [path] : [path, ...wordsBelow(path, known)]
  })
}

function pageOf(words: readonly string[], help: string): Page {
  const [first = '', ...rest] = help.trimEnd().split('\n')
  const page: Page = {
    words: [...words],
    usage: first.replace(/^Usage: /, ''),
    text: '',
    sections: new Map(),
  }
  let heading: string | undefined
  for (const line of rest) {
    const next = /^([A-Z][A-Za-z ,:()-]*):$/.exec(line)?.[1]
    if (next !== undefined) {
      heading = next
      page.sections.set(heading, '')
    } else if (heading === undefined || (line !== '' && !line.startsWith(' '))) {
      heading = undefined
      page.text += `${line}\n`
    } else page.sections.set(heading, `${page.sections.get(heading)}${line}\n`)
  }
  page.text = page.text.trim()
  return page
}

function ownSections({ sections }: Page): string {
  return [...sections]
    .filter(([heading]) => !common.includes(heading))
    .map(([heading, lines]) => `\n${heading}:\n${lines.trimEnd()}\n`)
    .join('')
}

function fenced(text = ''): string {
  return `\`\`\`text\n${text.trimEnd()}\n\`\`\``
}

function manPage({ words, usage, text, sections }: Page, version: string): string {
  const name = ['custody', ...words].join('-')
  const [summary = '', ...details] = text.split('\n\n')
  const lines = [
    `.TH "${name.toUpperCase()}" "1" "" "custody ${version}" "custody"`,
    '.SH NAME',
    roff(`${name} \\- ${lowered(summary.replaceAll('\n', ' ').replace(/\.$/, ''))}`),
    '.SH SYNOPSIS',
    `.B ${roff(usage)}`,
  ]
  if (details.length > 0) lines.push('.SH DESCRIPTION', ...details.flatMap((part) => ['.PP', roff(part)]))
  for (const [heading, body] of sections)
    lines.push(`.SH ${heading.toUpperCase()}`, '.nf', roff(body.replace(/\n+$/, '')), '.fi')
  return `${lines.join('\n')}\n`
}

function lowered(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`
}

/** Escapes a dot or apostrophe at the beginning of a line, which roff would read as a request. */
function roff(text: string): string {
  return text
    .replace(/\\(?!-)/g, '\\e')
    .replace(/(?<!\\)-/g, '\\-')
    .replace(/^([.'])/gm, '\\&$1')
}

/** The text of `custody WORDS --help`, not wrapped. */
async function helpOf(words: readonly string[]): Promise<string> {
  const { runCli } = await import('../src/cli/program/program.ts')
  let text = ''
  const out = { isTerminal: false, columns: () => 110, write: (piece: string) => (text += piece) }
  const io = { env: {}, cwd: '.', out, err: out, stdin: { isTerminal: false }, now: () => 0 }
  const code = await runCli([...words, '--help'], io as unknown as Io)
  if (code !== 0) throw new Error(text)
  return text
}
