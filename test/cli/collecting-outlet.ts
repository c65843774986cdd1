import type { Outlet } from '../../src/cli/base/io.ts'
import { terminalText } from '../../src/cli/base/terminal-text.ts'

/** An outlet that collects what is written, behind the code that a real terminal uses. */
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
