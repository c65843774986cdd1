import type { Outlet } from '../base/io.ts'
import { endOfOutput, outputFile } from './output-file.ts'

/** More than the longest line of an event. */
const lineBytesMax = 1024 * 1024
const newline = 0x0a

/**
 * The outlet of a run that goes on after a killed one, which may have left half a line at the end of the file that both
 * add to. What is written first is the same event, so that its line is completed; anything else begins on a new line.
 */
export function afterHalfLine(out: Outlet, half: Buffer): Outlet {
  let rest = half
  return {
    isTerminal: out.isTerminal,
    columns: () => out.columns(),
    write(text, isData) {
      const begun = rest
      rest = Buffer.alloc(0)
      out.write(begun.length === 0 ? text : (restOf(text, begun) ?? `\n${text}`), isData)
    },
  }
}

/** The bytes after the last newline if stdout is a file; none if it is not, or cannot be read. */
export function halfLineOfStdout(): Buffer {
  const size = outputFile()?.bytes() ?? 0
  const end = endOfOutput(size, Math.min(size, lineBytesMax))
  return end.subarray(end.lastIndexOf(newline) + 1)
}

/** The rest of a text; undefined if it does not begin so, or was cut within a character. */
function restOf(text: string, begun: Buffer): string | undefined {
  const bytes = Buffer.from(text)
  if (!bytes.subarray(0, begun.length).equals(begun)) return undefined
  const rest = bytes.subarray(begun.length)
  const isWithinCharacter = ((rest[0] ?? 0) & 0xc0) === 0x80
  return isWithinCharacter ? undefined : rest.toString()
}
