import { newUuid } from '../../runtime/identifiers.ts'
import { sha256 } from '../base/crypto.ts'
import type { ImportOptions } from './import-options.ts'
import type { KnownRows } from './journal/journal.ts'

/** What makes two imports the same: the target, the operation, the file's bytes and the options. */
type ImportIdentity = { target: string; endpoint: string; sha256: string; options: string }

/** The same for the same import, on every machine and day. */
export function fingerprintOf(one: ImportIdentity): string {
  return sha256(JSON.stringify([one.target, one.endpoint, one.sha256, one.options]), 40)
}

/**
 * The Idempotency-Key of an import, or what its chunks' keys begin with: from its identity, so that a job which runs
 * again adds nothing twice; another one with --again.
 */
export function importKey(fingerprint: string, { idempotencyKey, again }: ImportOptions): string {
  return idempotencyKey ?? `import-${again ? newUuid() : fingerprint}`
}

/**
 * The key of one chunk; of a file that is one chunk, the key itself. Where rows of it are left out that were ordered before, the
 * others are not what the service may have stored a result for.
 */
export function chunkKey(key: string, chunk: number, chunks: number, known?: KnownRows): string {
  const own = chunks === 1 ? key : `${key}-${chunk}`
  return known?.own_key ? `${own.slice(0, 200)}-${sha256(JSON.stringify(known), 12)}` : own
}
