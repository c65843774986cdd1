import type { Outlet } from '../base/io.ts'
import { endOfOutput, outputFile } from './output-file.ts'

/** Longer than any event's line. */
const lineBytesMax = 1024 * 1024
const newline = 0x0a

/** Completes the half line of a killed run if the first text begins with it; otherwise starts a new line. */
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

export function halfLineOfStdout(): Buffer {
  const size = outputFile()?.bytes() ?? 0
  const end = endOfOutput(size, Math.min(size, lineBytesMax))
  return end.subarray(end.lastIndexOf(newline) + 1)
}

/** Undefined if the text does not begin with `begun`, or `begun` ends within a character. */
function restOf(text: string, begun: Buffer): string | undefined {
  const bytes = Buffer.from(text)
  if (!bytes.subarray(0, begun.length).equals(begun)) return undefined
  const rest = bytes.subarray(begun.length)
  const isWithinCharacter = ((rest[0] ?? 0) & 0xc0) === 0x80
  return isWithinCharacter ? undefined : rest.toString()
}
