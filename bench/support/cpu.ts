import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100

/** CPU seconds of a process and of its children that have ended; undefined if it no longer exists. */
export function cpuOf(pid: string): { own: number; ended: number; parent: string } | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const seconds = (at: number): number => (Number(fields[at]) + Number(fields[at + 1])) / ticksPerSecond
  return { own: seconds(11), ended: seconds(13), parent: fields[1] ?? '' }
}

/** CPU seconds of a process and all its children, including those that have ended. */
export function cpuOfFamily(pid: string): number {
  const parent = cpuOf(pid)
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(cpuOf)
  const living = children
    .filter((child) => child?.parent === pid)
    .reduce((sum, child) => sum + (child?.own ?? 0), 0)
  return (parent?.own ?? 0) + (parent?.ended ?? 0) + living
}
