import stringWidth from 'string-width'

/** A command or flags to copy: a line break within would be copied too. */
const toCopy = /: (?=custody [a-z]|--[a-z])/

export function wrap(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => wrapped(line, width))
    .join('\n')
}

/** Further lines are indented like the text of the first. A word that is too long stays whole. */
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

/** Column of the text: after a gap of two or more blanks, as in a table, otherwise after the indent. */
function textAt(line: string): number {
  const begins = line.search(/\S/)
  const gap = /\S( {2,})\S/.exec(line)
  return gap === null ? begins : gap.index + 1 + (gap[1]?.length ?? 0)
}
