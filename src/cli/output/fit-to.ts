import type { Outlet } from '../base/io.ts'

/** `room`: columns that other text needs in the first and the last line. Text in a pipe stays as it is, without loading `wrap`. */
export async function fitTo(outlet: Outlet, room = 0): Promise<(text: string) => string> {
  if (!outlet.isTerminal) return (text) => text
  const { wrap } = await import('./wrap.ts')
  return (text) => wrap(text, outlet.columns() - room)
}
