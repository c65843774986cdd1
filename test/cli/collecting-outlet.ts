import type { Outlet } from '../../src/cli/base/io.ts'

/** An outlet that keeps what is written. */
export function collectingOutlet(
  options: { isTerminal?: boolean; columns?: number } = {},
): Outlet & { text: string } {
  const outlet = {
    text: '',
    isTerminal: options.isTerminal ?? false,
    columns: () => options.columns ?? 80,
    write(part: string) {
      outlet.text += part
    },
  }
  return outlet
}
