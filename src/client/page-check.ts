import { NetworkError } from './network-error.ts'

/** Rows move while a list is read, but never so that this many pages in a row repeat earlier ones. */
const repeatsMax = 10

/** Returns a function that throws on a list that never ends: its pages repeat. */
export function createPageCheck(): (page: object) => void {
  const seen = new Set<string>()
  let repeats = 0
  return (page) => {
    const lists = Object.values(page).filter(Array.isArray)
    const key = JSON.stringify(lists.map((rows) => [rows.length, rows[0]]))
    repeats = seen.has(key) ? repeats + 1 : 0
    seen.add(key)
    if (repeats === repeatsMax)
      throw new NetworkError('foreign', `The list does not end: ${repeatsMax} pages repeat earlier ones`)
  }
}
