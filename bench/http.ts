import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchReads } from './support/http-reads.ts'
import { benchTail } from './support/http-tail.ts'
import { benchUpload } from './support/http-upload.ts'
import { benchWrites } from './support/http-writes.ts'

/**
 * The service over HTTP: the built program (npm run build) on one core, the clients on the other. Each number is compared with
 * a bare program that does the same work in the same run, or with a limit that people would notice.
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
