import type { Outlet } from '../base/io.ts'

/** Fits text for people to a terminal. In a pipe it is left as it is, and what measures words is not loaded. */
export async function fitTo(outlet: Outlet): Promise<(text: string) => string> {
  if (!outlet.isTerminal) return (text) => text
  const { wrap } = await import('./wrap.ts')
  return (text) => wrap(text, outlet.columns())
}
