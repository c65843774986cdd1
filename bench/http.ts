import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchReads } from './support/http-reads.ts'
import { benchTail } from './support/http-tail.ts'
import { benchUpload } from './support/http-upload.ts'
import { benchWrites } from './support/http-writes.ts'

/**
 * The service over HTTP: the built program (npm run build) on one core, what it is measured with on the other. Each number
 * is a ratio to a bare program that does the same work, in the same run, or a limit that people would notice.
 */
const folder = mkdtempSync(join(tmpdir(), 'custody-bench-'))
try {
  await benchReads(folder)
  await benchWrites(folder)
  await benchUpload(folder)
  await benchTail(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
