/**
 * The functions of Node.js's own modules that only compute. The one file of the rules that reaches for modules, when one is
 * first needed: node:crypto takes 4 ms to load, and most commands never hash.
 */

export function sha256(text: string, encoding: 'hex' | 'base64url' = 'hex'): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text, encoding)
}

export function hmacSha256(key: Uint8Array, text: string): string {
  return process
    .getBuiltinModule('node:crypto')
    .createHmac('sha256', key)
    .update(text, 'utf8')
    .digest('base64')
}

/** Arithmetic on addresses; nothing that opens a connection. */
export function addresses(): Pick<typeof import('node:net'), 'BlockList' | 'SocketAddress' | 'isIP'> {
  return process.getBuiltinModule('node:net')
}
