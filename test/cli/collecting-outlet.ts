import type { Outlet } from '../../src/cli/base/io.ts'
import { terminalText } from '../../src/cli/base/terminal-text.ts'

/** An outlet that keeps what is written, on a terminal as a real one passes it on. */
export function collectingOutlet(
  options: { isTerminal?: boolean; columns?: number } = {},
): Outlet & { text: string } {
  const outlet = {
    text: '',
    isTerminal: options.isTerminal ?? false,
    columns: () => options.columns ?? 80,
    write(part: string) {
      outlet.text += outlet.isTerminal ? terminalText(part) : part
    },
  }
  return outlet
}
