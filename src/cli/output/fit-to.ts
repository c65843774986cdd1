import type { Outlet } from '../base/io.ts'

/** `room`: columns of the first and the last line that other text needs. Leaves text in a pipe as it is, without loading the module that measures words. */
export async function fitTo(outlet: Outlet, room = 0): Promise<(text: string) => string> {
  if (!outlet.isTerminal) return (text) => text
  const { wrap } = await import('./wrap.ts')
  return (text) => wrap(text, outlet.columns() - room)
}
