/** Loaded only when asked for: it takes 3 ms, and most commands that read need none of it. */
function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto')
}

/** The first `length` hexadecimal digits of a text's SHA-256. */
export function sha256(text: string, length: number): string {
  return crypto().hash('sha256', text).slice(0, length)
}
