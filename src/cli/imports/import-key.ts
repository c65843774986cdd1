import { createHash, randomUUID } from 'node:crypto'
import type { ImportOptions } from './import-options.ts'

/** What makes two imports the same: the target, what is done, the file's bytes and the options. */
type ImportIdentity = { target: string; endpoint: string; sha256: string; options: string }

/** The same for the same import, on every machine and day. */
export function fingerprintOf({ target, endpoint, sha256, options }: ImportIdentity): string {
  return createHash('sha256')
    .update(JSON.stringify([target, endpoint, sha256, options]))
    .digest('hex')
    .slice(0, 40)
}

/**
 * The Idempotency-Key of an import, or what its chunks' keys begin with: from its identity, so that a job which runs
 * again adds nothing twice; another one with --again.
 */
export function importKey(fingerprint: string, { idempotencyKey, again }: ImportOptions): string {
  return idempotencyKey ?? `import-${again ? randomUUID() : fingerprint}`
}

/** The key of one chunk; of a file that is one chunk, the key itself. */
export function chunkKey(key: string, chunk: number, chunks: number): string {
  return chunks === 1 ? key : `${key}-${chunk}`
}
