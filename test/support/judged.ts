import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')

/** What a slow judge found right, kept between runs: what has changed since is judged again. */
export function judgedRight(judge: string): { has(text: string): boolean; add(text: string): void } {
  const file = join(folder, `${judge}.json`)
  const right = new Set<string>(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [])
  return {
    has: (text) => right.has(text),
    add(text) {
      right.add(text)
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, JSON.stringify([...right]))
    },
  }
}
