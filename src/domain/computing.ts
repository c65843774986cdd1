/** The only file of the domain that loads modules, on first use: node:crypto takes 4 ms to load, and most commands never hash. */

export function sha256(data: string | Uint8Array, encoding: 'hex' | 'base64url' = 'hex'): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', data, encoding)
}

/** Uses a key object: if Node.js gets the key's bytes, it throws and catches an error each time, 14 µs instead of 4. */
export function hmacSha256(key: Uint8Array, text: string): string {
  const { createHmac, createSecretKey } = process.getBuiltinModule('node:crypto')
  return createHmac('sha256', createSecretKey(key)).update(text, 'utf8').digest('base64')
}

/** Arithmetic on addresses; nothing that opens a connection. */
export function addresses(): Pick<typeof import('node:net'), 'BlockList' | 'SocketAddress' | 'isIP'> {
  return process.getBuiltinModule('node:net')
}
