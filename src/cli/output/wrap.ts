import stringWidth from 'string-width'

/** A command or flags to copy: a line break in it would be typed too. */
const toCopy = /: (?=custody [a-z]|--[a-z])/

/** Text cut between words into lines of at most `width` columns. */
export function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapped(line, width))
    .join('\n')
}

/** What goes on is indented as the text that it belongs to: behind the blanks, or the first column of a table. A longer word stays whole. */
function wrapped(line: string, width: number): string {
  if (stringWidth(line) <= width) return line
  const column = line.slice(0, textAt(line))
  const indent = ' '.repeat(stringWidth(column) <= width / 2 ? stringWidth(column) : 2)
  const copied = toCopy.exec(line)
  const end = copied === null || copied.index < column.length ? line.length : copied.index + 1
  const words = [
    ...line.slice(column.length, end).split(' '),
    ...(end < line.length ? [line.slice(end + 1)] : []),
  ]
  let text = column
  let used = stringWidth(column)
  for (const [at, word] of words.entries()) {
    const wide = stringWidth(word)
    if (at > 0 && used + 1 + wide > width) {
      text += `\n${indent}`
      used = indent.length
    } else if (at > 0) {
      text += ' '
      used += 1
    }
    text += word
    used += wide
  }
  return text
}

/** Where the text of a line begins: behind two blanks or more, as a table's columns have, else behind its own. */
function textAt(line: string): number {
  const begins = line.search(/\S/)
  const gap = /\S( {2,})\S/.exec(line)
  return gap === null ? begins : gap.index + 1 + (gap[1]?.length ?? 0)
}
