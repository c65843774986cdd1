import type { CommandFile } from '../../command.ts'
import { candidates, type Word } from '../../completion/candidates.ts'

/** Called by the scripts of `custody completion`, not by people. */
export const command: CommandFile<[string[]]> = {
  summary: 'The words that may follow, for a shell',
  examples: [],
  define: (complete) => complete.argument('[words...]', 'the words so far; the last one begins with a point'),
  isOffline: true,
  isPlain: true,
  async run(session, words) {
    const current = (words.at(-1) ?? '.').replace(/^\./, '')
    const found = await candidates(session, words.slice(0, -1), current)
    const lines = found.words.map(lineOf)
    if (found.isOpen) lines.push(':open')
    if (found.files) lines.push(':files')
    session.io.out.write(lines.map((line) => `${line}\n`).join(''))
  },
}

function lineOf({ word, about }: Word): string {
  return `${word}\t${about.replaceAll(/\s+/g, ' ')}`
}
