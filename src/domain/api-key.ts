import type { Environment } from '../contract/enums.ts'
import { sha256 } from './computing.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLength = 43
const checkLength = 6
const shownLength = 6

const prefixes: Record<Environment, string> = { sandbox: 'sk_sandbox_', production: 'sk_live_' }

/** What a key tells without a look-up: its environment, and the part that may be shown in lists and logs. */
interface ParsedApiKey {
  environment: Environment
  prefix: string
}

/** The key's text from its 32 random bytes (decisions 1). Throws a RangeError when they are not 32. */
export function formatApiKey(environment: Environment, secret: Uint8Array): string {
  if (secret.length !== 32) throw new RangeError('An API key takes 32 random bytes.')
  let number = 0n
  for (const byte of secret) number = (number << 8n) | BigInt(byte)
  const text = prefixes[environment] + toBase62(number, secretLength)
  return text + checkOf(text)
}

/** Null when the text is not a key: wrong shape or check sum, so that a typo costs no look-up (decisions 1). */
export function parseApiKey(text: string): ParsedApiKey | null {
  const shape = /^(sk_sandbox_|sk_live_)[0-9A-Za-z]{49}$/.exec(text)
  if (shape === null) return null
  const body = text.slice(0, -checkLength)
  if (checkOf(body) !== text.slice(-checkLength)) return null
  const environment = shape[1] === prefixes.sandbox ? 'sandbox' : 'production'
  return { environment, prefix: apiKeyPrefix(text, environment) }
}

/** The display prefix: the environment's and the first six characters of the secret. */
export function apiKeyPrefix(text: string, environment: Environment): string {
  return text.slice(0, prefixes[environment].length + shownLength)
}

/** What is stored of a key, never the key itself (decisions 1). */
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

/** CRC-32 of ASCII text, as zlib's: loading node:zlib for 54 characters would cost more than these bits. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
