import type { Environment } from '../contract/enums.ts'
import { sha256 } from './computing.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checkLength = 6
const shownLength = 6

const prefixes: Record<Environment, string> = { sandbox: 'sk_sandbox_', production: 'sk_live_' }

/** `prefix`: the part that may be shown in lists and logs. */
interface ParsedApiKey {
  environment: Environment
  prefix: string
}

/** Encodes 32 random bytes (decisions 1). Throws a RangeError on any other number. */
export function formatApiKey(environment: Environment, secret: Uint8Array): string {
  if (secret.length !== 32) throw new RangeError('An API key takes 32 random bytes.')
  let number = 0n
  for (const byte of secret) number = (number << 8n) | BigInt(byte)
  const text = prefixes[environment] + toBase62(number, secretLength)
  return text + checkOf(text)
}

/** Null on a wrong shape or checksum, so that a typo costs no lookup (decisions 1). */
export function parseApiKey(text: string): ParsedApiKey | null {
  const shape = /^(sk_sandbox_|sk_live_)[0-9A-Za-z]{49}$/.exec(text)
  if (shape === null) return null
  const body = text.slice(0, -checkLength)
  if (checkOf(body) !== text.slice(-checkLength)) return null
  const environment = shape[1] === prefixes.sandbox ? 'sandbox' : 'production'
  return { environment, prefix: apiKeyPrefix(text, environment) }
}

export function apiKeyPrefix(text: string, environment: Environment): string {
  return text.slice(0, prefixes[environment].length + shownLength)
}

/** Stored instead of the key itself (decisions 1). */
export function keyHash(key: string): string {
  return sha256(key)
}

function checkOf(text: string): string {
  return toBase62(BigInt(crc32(text)), checkLength)
}

function toBase62(number: bigint, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest /= 62n) text = base62.charAt(Number(rest % 62n)) + text
  return text
}

/** CRC-32 of ASCII text, as in zlib: loading node:zlib for 54 characters would cost more. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
