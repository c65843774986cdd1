import { hash } from 'node:crypto'

/** The first `length` hexadecimal digits of a text's SHA-256. */
export function sha256(text: string, length: number): string {
  return hash('sha256', text).slice(0, length)
}
