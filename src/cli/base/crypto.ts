import { hash } from 'node:crypto'

/** `length`: the number of hexadecimal digits. */
export function sha256(data: string | Uint8Array, length = 64): string {
  return hash('sha256', data).slice(0, length)
}
