import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { own } from '../../contract/own.ts'
import { CliError, type Ending, endings, exitCodes } from '../base/cli-error.ts'
import type { Io } from '../base/io.ts'
import { wrap } from './wrap.ts'

type Topic = { about: string; page?: string; section?: string }

/** Topics that span commands. Their text comes from docs, so a terminal and a browser show the same. */
export const helpTopics: Readonly<Record<string, Topic>> = {
  'exit-codes': { about: 'Exit codes of every command' },
  imports: { about: 'Files, columns, failed rows, and sending a file again', page: 'importing.md' },
  output: { about: 'Formats, columns, and where output goes', page: 'using.md', section: 'Output' },
  targets: { about: 'Services, databases, profiles, and keys', page: 'using.md', section: 'Targets' },
  unattended: { about: 'Scripts and cron', page: 'using.md', section: 'Scripts and cron' },
  glossary: { about: 'The words that custody uses', page: 'glossary.md' },
}

export async function topicText(name: string, io: Io): Promise<string | undefined> {
  const topic = own(helpTopics, name)
  if (topic === undefined) return undefined
  const text =
    topic.page === undefined
      ? await exitCodesText()
      : plainText(sectionOf(pageText(topic.page), topic.section))
  return wrap(text, Math.min(io.out.columns(), 100))
}

async function exitCodesText(): Promise<string> {
  const { aligned } = await import('./table.ts')
  const rows = Object.entries(endings).map(([ending, meaning]) => [
    String(exitCodes[ending as Ending]),
    meaning,
  ])
  return `Exit codes of every command:\n\n${aligned(rows, { kinds: ['number'], indent: '  ' })}`
}

function pageText(page: string): string {
  // The program runs from its sources, from dist, or from a part of it.
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'docs', page)
    if (existsSync(file)) return readFileSync(file, 'utf8')
  }
  throw new CliError('not_found', `This installation does not include docs/${page}.`)
}

function sectionOf(text: string, section: string | undefined): string {
  if (section === undefined) return text
  const from = text.indexOf(`\n## ${section}\n`)
  const end = text.indexOf('\n## ', from + 1)
  return text.slice(from + 1, end < 0 ? undefined : end)
}

function plainText(markdown: string): string {
  // Pictures are blocks of their own.
  const blocks = markdown.split('\n\n').map((block) => block.trim())
  const texts = blocks.flatMap((block) => (block === '' || block.startsWith('<') ? [] : plainBlock(block)))
  return `${texts.join('\n\n')}\n`
}

function plainBlock(block: string): string {
  if (block.startsWith('|')) return plainTable(block.split('\n'))
  let text = ''
  for (const line of block.split('\n')) {
    const [mark, ...words] = line.split(' ')
    const isItem = mark === '-' || /^\d+\.$/.test(mark ?? '')
    text += isItem ? `\n  ${mark}  ${words.join(' ')}` : ` ${line.trim()}`
  }
  return inline(text.slice(1).replace(/^#{1,3} (.*)$/, '$1:'))
}

/** Without the heading and the line below it: the first cell, and under it the others. */
function plainTable([, , ...rows]: readonly string[]): string {
  return rows
    .map((row) => row.slice(1, -1).split(' | '))
    .map(([first = '', ...others]) => inline(`  ${first.trim()}\n      ${others.join(': ').trim()}`))
    .join('\n')
}

function inline(text: string): string {
  return text.replace(/\[([^[\]\n]{1,80})\]\([^()\n]{1,80}\)/g, '$1').replace(/\*\*|`/g, '')
}
