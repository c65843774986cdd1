import { hash } from 'node:crypto'

/** The first `length` hexadecimal digits of the SHA-256 of a text or of bytes. */
export function sha256(data: string | Uint8Array, length = 64): string {
  return hash('sha256', data).slice(0, length)
}
