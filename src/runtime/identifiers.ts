import { runtime } from './runtime.ts'

/** Two digits per byte. */
export function randomHex(bytes: number): string {
  return Buffer.from(runtime.random(bytes)).toString('hex')
}

export function newUuid(): string {
  const bytes = Buffer.from(runtime.random(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
